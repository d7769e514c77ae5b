/* SPDX-License-Identifier: MIT */
/* Writing .modal files: the parts, where each goes, and their checksums. */
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/store/model_sections.h"

#include <string.h>

typedef struct contents {
    int count;
    sb_section table[SB_SECTION_KINDS];
    const void *bytes[SB_SECTION_KINDS];
} contents;

static void add(contents *parts, sb_section_kind kind, const void *bytes,
                size_t count, size_t size) {
    parts->bytes[parts->count] = bytes;
    parts->table[parts->count++] =
        (sb_section){.kind = (uint32_t)kind, .bytes = count * size};
}

static sb_head_section make_head(const sb_model_file *file) {
    sb_head_section head = {
        .facts = file->solution->facts,
        .vertex_count = file->solution->vertex_count,
        .face_count = file->solution->face_count,
        .mode_count = file->solution->mode_count,
        .has_material = file->has_material,
    };
    if (file->has_material)
        memcpy(&head.material, &file->material, sizeof head.material);
    memcpy(head.key, file->key, sizeof file->key);
    return head;
}

/* Files of 0 and 1 are those of version 1 that had no other values. */
static int32_t merge_bits(double merge) {
    if (merge == 0 || merge == 1) return (int32_t)merge;
    float value = (float)merge;
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static sb_finish_section make_finish(const sb_model_file *file) {
    return (sb_finish_section){
        .min_hz = file->finish.min_hz,
        .max_hz = file->finish.max_hz,
        .merge = merge_bits(file->finish.merge),
        .max_modes = file->finish.max_modes,
        .mode_count = file->finished.mode_count,
        .member_count = file->finished.member_count,
        .report = file->finished.report,
    };
}

/* The patterns as they are stored. */
typedef struct packed {
    sb_pattern_head *heads;
    float (*coefs)[2];
    size_t coef_count;
} packed;

static bool pack(const sb_model_file *file, packed *out) {
    const sb_patterns *from =
        file->has_finished ? file->finished.patterns : NULL;
    if (!from) return true;
    out->coef_count = sb_patterns_coef_count(from);
    out->heads = sb_alloc((size_t)from->count, sizeof *out->heads);
    out->coefs = sb_alloc(out->coef_count, sizeof *out->coefs);
    if (!out->heads || !out->coefs) return false;
    sb_patterns_pack(from, out->heads, out->coefs);
    return true;
}

static void list_patterns(const sb_model_file *file, const packed *from,
                          contents *parts) {
    if (!from->heads) return;
    add(parts, SB_SECTION_PATTERNS, from->heads,
        (size_t)file->finished.mode_count, sizeof *from->heads);
    add(parts, SB_SECTION_PATTERN_COEFS, from->coefs, from->coef_count,
        sizeof *from->coefs);
}

static void list_parts(const sb_model_file *file, const sb_head_section *head,
                       const sb_finish_section *finish,
                       const sb_grain_section *grain,
                       const sb_exact_section *exact, contents *parts) {
    const sb_solution *s = file->solution;
    size_t vertices = (size_t)s->vertex_count, faces = (size_t)s->face_count;
    size_t modes = (size_t)s->mode_count;
    add(parts, SB_SECTION_HEAD, head, 1, sizeof *head);
    if (file->has_material && sb_material_is_orthotropic(&file->material)) {
        add(parts, SB_SECTION_GRAIN, grain, 1, sizeof *grain);
    }
    add(parts, SB_SECTION_VERTICES, s->vertices, vertices, sizeof(float[3]));
    add(parts, SB_SECTION_FACES, s->faces, faces, sizeof(int32_t[3]));
    if (s->uvs) add(parts, SB_SECTION_UVS, s->uvs, faces, sizeof(float[6]));
    add(parts, SB_SECTION_LAMBDAS, s->lambdas, modes, sizeof(double));
    add(parts, SB_SECTION_SHAPES, s->shapes, vertices * modes,
        sizeof(float[3]));
    if (!file->has_finished) return;
    const sb_finished *f = &file->finished;
    size_t members = (size_t)f->member_count;
    add(parts, SB_SECTION_FINISH, finish, 1, sizeof *finish);
    if (f->radiation == SB_RADIATES_EXACT)
        add(parts, SB_SECTION_EXACT, exact, 1, sizeof *exact);
    add(parts, SB_SECTION_FINISHED_MODES, f->modes, (size_t)f->mode_count,
        sizeof *f->modes);
    add(parts, SB_SECTION_FINISHED_SHAPES, f->shapes, vertices * members,
        sizeof(float[3]));
}

static sb_model_header lay_out(contents *parts) {
    size_t table_bytes = (size_t)parts->count * sizeof(sb_section);
    uint64_t at = sb_section_padded(sizeof(sb_model_header) + table_bytes);
    for (int i = 0; i < parts->count; i++) {
        sb_section *section = &parts->table[i];
        section->offset = at;
        section->checksum =
            sb_checksum(parts->bytes[i], (size_t)section->bytes);
        at += sb_section_padded(section->bytes);
    }
    sb_model_header header = {
        .version = SB_MODEL_VERSION,
        .section_count = (uint32_t)parts->count,
        .file_bytes = at,
        .table_checksum = sb_checksum(parts->table, table_bytes),
    };
    memcpy(header.magic, SB_MODEL_MAGIC, sizeof header.magic);
    return header;
}

static sb_status pad(sb_out_file *out, uint64_t bytes, sb_error *err) {
    static const char zeros[SB_SECTION_ALIGN];
    uint64_t rest = sb_section_padded(bytes) - bytes;
    if (rest == 0) return SB_OK;
    return sb_out_file_write(out, zeros, (size_t)rest, err);
}

static sb_status write_parts(sb_out_file *out, const contents *parts,
                             const sb_model_header *header, sb_error *err) {
    size_t table_bytes = (size_t)parts->count * sizeof(sb_section);
    sb_status status = sb_out_file_write(out, header, sizeof *header, err);
    if (!status) {
        status = sb_out_file_write(out, parts->table, table_bytes, err);
    }
    if (!status) status = pad(out, sizeof *header + table_bytes, err);
    for (int i = 0; i < parts->count && !status; i++) {
        uint64_t bytes = parts->table[i].bytes;
        status = sb_out_file_write(out, parts->bytes[i], (size_t)bytes, err);
        if (!status) status = pad(out, bytes, err);
    }
    return status;
}

static sb_status write_file(const char *path, contents *parts, sb_error *err) {
    sb_model_header header = lay_out(parts);
    sb_out_file *out = NULL;
    sb_status status = sb_out_file_create(&out, path, err);
    if (status) return status;
    status = write_parts(out, parts, &header, err);
    if (!status) return sb_out_file_commit(out, err);
    sb_out_file_abort(out);
    return status;
}

sb_status sb_model_file_write(const char *path, const sb_model_file *file,
                              sb_error *err) {
    if (file->has_finished &&
        (!file->has_material ||
         file->finished.vertex_count != file->solution->vertex_count)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: finished modes belong to a material and to the "
                       "vertices of their solution",
                       path);
    }
    sb_head_section head = make_head(file);
    sb_finish_section finish = make_finish(file);
    contents parts = {0};
    sb_grain_section grain = {file->material.youngs_modulus_across,
                              file->material.shear_modulus};
    sb_exact_section exact = {file->finished.exact_count, 0};
    list_parts(file, &head, &finish, &grain, &exact, &parts);
    packed patterns = {0};
    sb_status status = SB_OK;
    if (pack(file, &patterns)) {
        list_patterns(file, &patterns, &parts);
        status = write_file(path, &parts, err);
    } else {
        status = sb_fail(err, SB_NO_MEMORY, "%.300s: out of memory", path);
    }
    sb_free(patterns.heads);
    sb_free(patterns.coefs);
    return status;
}
