/* SPDX-License-Identifier: MIT */
/* Reading .modal files in place, with checks of all that is used. */
#include "runtime/base/memory.h"
#include "runtime/base/select.h"
#include "runtime/model/method.h"
#include "runtime/store/model_sections.h"

#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t sb_checksum(const void *bytes, size_t count) {
    return XXH3_64bits(bytes, count);
}

typedef struct mapped_file {
    const char *bytes;
    size_t count;
} mapped_file;

/* One file being read. */
typedef struct reading {
    const char *path;
    mapped_file *map;
    const char *at[SB_SECTION_KINDS]; /* NULL: absent */
    uint64_t bytes[SB_SECTION_KINDS];
    sb_solution parts;
    sb_head_section head;
    sb_finish_section finish;
    sb_patterns *patterns; /* or NULL */
} reading;

static const char *const names[SB_SECTION_KINDS] = {
    [SB_SECTION_HEAD] = "facts",
    [SB_SECTION_VERTICES] = "vertices",
    [SB_SECTION_FACES] = "faces",
    [SB_SECTION_UVS] = "texture coordinates",
    [SB_SECTION_LAMBDAS] = "eigenvalues",
    [SB_SECTION_SHAPES] = "shapes",
    [SB_SECTION_FINISH] = "finish",
    [SB_SECTION_FINISHED_MODES] = "finished modes",
    [SB_SECTION_FINISHED_SHAPES] = "finished shapes",
    [SB_SECTION_GRAIN] = "moduli of the grain",
    [SB_SECTION_EXACT] = "exact radiation",
    [SB_SECTION_PATTERNS] = "directions",
    [SB_SECTION_PATTERN_COEFS] = "coefficients of directions",
};

static sb_status fail_damaged(const reading *r, sb_error *err,
                              const char *what) {
    return sb_fail(err, SB_BAD_FORMAT, "%.300s is damaged: %s", r->path, what);
}

/* The largest numbers of a finished mode: far beyond what is heard, and so
 * small that their products are finite. */
#define MOST_HZ        1e7
#define MOST_SIGMA     1e9
#define MOST_RADIATION 1e18

/* --- the file in memory --------------------------------------------------- */

static void unmap(void *context) {
    mapped_file *map = context;
    (void)munmap((void *)map->bytes, map->count);
    sb_free(map);
}

static sb_status fail_open(const char *path, int code, sb_error *err) {
    sb_status status =
        code == ENOENT || code == ENOTDIR ? SB_NOT_FOUND : SB_IO_ERROR;
    return sb_fail(err, status, "%.300s cannot be read: %s", path,
                   strerror(code));
}

static sb_status map_descriptor(const char *path, int descriptor,
                                mapped_file *map, sb_error *err) {
    struct stat info;
    if (fstat(descriptor, &info) != 0) return fail_open(path, errno, err);
    if (!S_ISREG(info.st_mode)) {
        return sb_fail(err, SB_IO_ERROR,
                       "%.300s cannot be read: it is not a regular file", path);
    }
    if (info.st_size < (off_t)sizeof(sb_model_header)) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.300s is not a .modal file: it has %lld bytes", path,
                       (long long)info.st_size);
    }
    map->count = (size_t)info.st_size;
    void *bytes = mmap(NULL, map->count, PROT_READ, MAP_PRIVATE | MAP_POPULATE,
                       descriptor, 0);
    if (bytes == MAP_FAILED) return fail_open(path, errno, err);
    map->bytes = bytes;
    return SB_OK;
}

static sb_status map_file(const char *path, mapped_file **out, sb_error *err) {
    mapped_file *map = sb_alloc(1, sizeof *map);
    if (!map) {
        return sb_fail(err, SB_NO_MEMORY, "%.300s: out of memory", path);
    }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        int code = errno;
        sb_free(map);
        return fail_open(path, code, err);
    }
    sb_status status = map_descriptor(path, descriptor, map, err);
    (void)close(descriptor);
    if (status) {
        sb_free(map);
        return status;
    }
    *out = map;
    return SB_OK;
}

/* --- header and table ----------------------------------------------------- */

static sb_status check_header(const reading *r, sb_model_header *header,
                              sb_error *err) {
    memcpy(header, r->map->bytes, sizeof *header);
    if (memcmp(header->magic, SB_MODEL_MAGIC, sizeof header->magic) != 0) {
        return sb_fail(err, SB_BAD_FORMAT, "%.300s is not a .modal file",
                       r->path);
    }
    if (header->version != SB_MODEL_VERSION) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.300s has version %u; this program reads version %d",
                       r->path, header->version, (int)SB_MODEL_VERSION);
    }
    if (r->map->count < header->file_bytes) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.300s is cut short: it has %zu of %llu bytes", r->path,
                       r->map->count, (unsigned long long)header->file_bytes);
    }
    if (r->map->count > header->file_bytes) {
        return fail_damaged(r, err, "it is longer than its header states");
    }
    uint64_t table = (uint64_t)header->section_count * sizeof(sb_section);
    if (header->section_count > SB_SECTIONS_MOST ||
        sizeof *header + table > r->map->count ||
        sb_checksum(r->map->bytes + sizeof *header, (size_t)table) !=
            header->table_checksum) {
        return fail_damaged(r, err,
                            "its table of contents does not match its "
                            "checksum");
    }
    return SB_OK;
}

static bool are_zeros(const char *bytes, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        if (bytes[i] != 0) return false;
    }
    return true;
}

/* Validate one section of the table; `*end` is the end of the one before and
 * receives the end of this one. */
static sb_status take_section(reading *r, const sb_section *section,
                              uint64_t *end, sb_error *err) {
    uint64_t total = r->map->count;
    if (section->offset != *end || section->bytes > total - section->offset ||
        sb_section_padded(section->bytes) > total - section->offset) {
        return fail_damaged(r, err, "its section table is invalid");
    }
    const char *at = r->map->bytes + section->offset;
    uint64_t padded = sb_section_padded(section->bytes);
    bool is_known = section->kind > 0 && section->kind < SB_SECTION_KINDS;
    if (sb_checksum(at, (size_t)section->bytes) != section->checksum ||
        !are_zeros(at + section->bytes, padded - section->bytes)) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.300s is damaged: its %s do not match their checksum",
                       r->path, is_known ? names[section->kind] : "contents");
    }
    *end += padded;
    if (!is_known) return SB_OK;
    if (r->at[section->kind]) {
        return fail_damaged(r, err, "it has a section twice");
    }
    r->at[section->kind] = at;
    r->bytes[section->kind] = section->bytes;
    return SB_OK;
}

static sb_status take_sections(reading *r, sb_error *err) {
    sb_model_header header;
    sb_status status = check_header(r, &header, err);
    if (status) return status;
    uint64_t table = sizeof header + header.section_count * sizeof(sb_section);
    uint64_t end = sb_section_padded(table);
    if (end > r->map->count || !are_zeros(r->map->bytes + table, end - table)) {
        return fail_damaged(r, err, "its section table is invalid");
    }
    for (uint32_t i = 0; i < header.section_count && !status; i++) {
        sb_section section;
        memcpy(&section,
               r->map->bytes + sizeof header + (size_t)i * sizeof section,
               sizeof section);
        status = take_section(r, &section, &end, err);
    }
    if (!status && end != r->map->count) {
        status = fail_damaged(r, err, "its section table is invalid");
    }
    return status;
}

/* --- contents ------------------------------------------------------------- */

/* Check that a section has a * b * size bytes, without negative factors or
 * overflow. */
static sb_status expect(const reading *r, sb_section_kind kind, int64_t a,
                        int64_t b, uint64_t size, sb_error *err) {
    uint64_t most = r->map->count;
    bool fits = a >= 0 && b >= 0 &&
                (b == 0 || (uint64_t)a <= most / size / (uint64_t)b);
    if (fits && r->at[kind] &&
        r->bytes[kind] == (uint64_t)a * (uint64_t)b * size) {
        return SB_OK;
    }
    return sb_fail(err, SB_BAD_FORMAT,
                   "%.300s is damaged: its %s have the wrong size", r->path,
                   names[kind]);
}

static sb_material material_of(const reading *r) {
    sb_material material = {.restitution = 0.5, .friction = 0.4};
    memcpy(&material, &r->head.material, sizeof r->head.material);
    if (r->at[SB_SECTION_GRAIN]) {
        sb_grain_section grain;
        memcpy(&grain, r->at[SB_SECTION_GRAIN], sizeof grain);
        material.youngs_modulus_across = grain.youngs_modulus_across;
        material.shear_modulus = grain.shear_modulus;
    }
    return material;
}

static sb_status take_head(reading *r, sb_error *err) {
    sb_status status = expect(r, SB_SECTION_HEAD, 1, 1, sizeof r->head, err);
    if (status) return status;
    memcpy(&r->head, r->at[SB_SECTION_HEAD], sizeof r->head);
    const sb_head_section *head = &r->head;
    if (head->key[SB_DIGEST_TEXT_SIZE - 1] != '\0' || head->facts.method < 0 ||
        head->facts.method >= SB_METHOD_COUNT) {
        return fail_damaged(r, err, "its facts are out of range");
    }
    if (r->at[SB_SECTION_GRAIN]) {
        status =
            expect(r, SB_SECTION_GRAIN, 1, 1, sizeof(sb_grain_section), err);
        if (status) return status;
    }
    if (head->has_material) {
        sb_error why = {0};
        sb_material material = material_of(r);
        if (sb_material_check(&material, &why)) {
            return fail_damaged(r, err, why.message);
        }
    }
    return SB_OK;
}

static sb_status take_solution(reading *r, sb_error *err) {
    int64_t vertices = r->head.vertex_count, faces = r->head.face_count;
    int64_t modes = r->head.mode_count;
    sb_status status =
        expect(r, SB_SECTION_VERTICES, vertices, 3, sizeof(float), err);
    if (!status) status = expect(r, SB_SECTION_FACES, faces, 3, 4, err);
    if (!status && r->at[SB_SECTION_UVS]) {
        status = expect(r, SB_SECTION_UVS, faces, 6, sizeof(float), err);
    }
    if (!status) {
        status = expect(r, SB_SECTION_LAMBDAS, modes, 1, sizeof(double), err);
    }
    if (!status) {
        status = expect(r, SB_SECTION_SHAPES, vertices, modes, sizeof(float[3]),
                        err);
    }
    if (status) return status;
    /* Pointers are aligned: pages and sections begin at multiples of 64
     * bytes. */
    r->parts = (sb_solution){
        .facts = r->head.facts,
        .vertex_count = r->head.vertex_count,
        .face_count = r->head.face_count,
        .mode_count = r->head.mode_count,
        .vertices = (const float(*)[3])(const void *)r->at[SB_SECTION_VERTICES],
        .faces = (const int32_t(*)[3])(const void *)r->at[SB_SECTION_FACES],
        .uvs = (const float(*)[3][2])(const void *)r->at[SB_SECTION_UVS],
        .lambdas = (const void *)r->at[SB_SECTION_LAMBDAS],
        .shapes = (const void *)r->at[SB_SECTION_SHAPES],
    };
    sb_error why = {0};
    if (sb_solution_check(&r->parts, &why)) {
        return fail_damaged(r, err, why.message);
    }
    return SB_OK;
}

static bool is_within(double value, double most) {
    return value >= 0 && value <= most;
}

static sb_status check_finished_modes(const reading *r, sb_error *err) {
    const sb_finished_mode *modes =
        (const void *)r->at[SB_SECTION_FINISHED_MODES];
    int64_t member = 0;
    for (int k = 0; k < r->finish.mode_count; k++) {
        const sb_finished_mode *mode = &modes[k];
        bool ok = mode->freq_hz > 0 && is_within(mode->freq_hz, MOST_HZ) &&
                  is_within(mode->sigma_per_s, MOST_SIGMA) &&
                  is_within(mode->radiation, MOST_RADIATION) &&
                  mode->first_member == member && mode->member_count > 0;
        if (!ok) return fail_damaged(r, err, "a finished mode is invalid");
        member += mode->member_count;
    }
    if (member != r->finish.member_count || r->finish.mode_count < 1) {
        return fail_damaged(
            r, err, "the counts of its finished modes are inconsistent");
    }
    const float *shapes = (const void *)r->at[SB_SECTION_FINISHED_SHAPES];
    size_t count = (size_t)r->head.vertex_count * (size_t)member * 3;
    double mass_kg = r->head.facts.volume_m3 * r->head.material.density;
    float most = (float)(SB_SHAPE_MOST / sqrt(mass_kg));
    if (sb_are_within(shapes, count, most)) return SB_OK;
    return fail_damaged(r, err,
                        "a finished shape is not finite, or far too large");
}

static sb_status take_patterns(reading *r, sb_error *err) {
    sb_status status = expect(r, SB_SECTION_PATTERNS, r->finish.mode_count, 1,
                              sizeof(sb_pattern_head), err);
    size_t count =
        (size_t)r->bytes[SB_SECTION_PATTERN_COEFS] / sizeof(float[2]);
    if (!status)
        status = expect(r, SB_SECTION_PATTERN_COEFS, (int64_t)count, 1,
                        sizeof(float[2]), err);
    if (status) return status;
    bool is_damaged;
    r->patterns = sb_patterns_unpack(
        r->finish.mode_count, (const void *)r->at[SB_SECTION_PATTERNS],
        (const float(*)[2])(const void *)r->at[SB_SECTION_PATTERN_COEFS], count,
        &is_damaged);
    if (r->patterns) return SB_OK;
    if (is_damaged) return fail_damaged(r, err, "a direction is invalid");
    return sb_fail(err, SB_NO_MEMORY, "%.300s: out of memory", r->path);
}

static sb_status take_finished(reading *r, sb_error *err) {
    if (!r->at[SB_SECTION_FINISH]) return SB_OK;
    sb_status status =
        expect(r, SB_SECTION_FINISH, 1, 1, sizeof r->finish, err);
    if (status) return status;
    memcpy(&r->finish, r->at[SB_SECTION_FINISH], sizeof r->finish);
    status = expect(r, SB_SECTION_FINISHED_MODES, r->finish.mode_count, 1,
                    sizeof(sb_finished_mode), err);
    if (!status) {
        status = expect(r, SB_SECTION_FINISHED_SHAPES, r->head.vertex_count,
                        r->finish.member_count, sizeof(float[3]), err);
    }
    if (!status && r->at[SB_SECTION_EXACT]) {
        status =
            expect(r, SB_SECTION_EXACT, 1, 1, sizeof(sb_exact_section), err);
    }
    if (!status && r->at[SB_SECTION_PATTERNS]) status = take_patterns(r, err);
    if (!status && !r->head.has_material) {
        status = fail_damaged(r, err, "it has finished modes but no material");
    }
    return status ? status : check_finished_modes(r, err);
}

/* --- the whole file ------------------------------------------------------- */

static double merge_of(int32_t bits) {
    float value;
    if (bits == 0 || bits == 1) return bits;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static void fill_in(const reading *r, sb_solution *solution,
                    sb_model_file *out) {
    *out = (sb_model_file){.solution = solution,
                           .has_material = r->head.has_material != 0,
                           .material = material_of(r),
                           .has_finished = r->at[SB_SECTION_FINISH] != NULL};
    memcpy(out->key, r->head.key, sizeof out->key);
    if (!out->has_finished) return;
    out->finish = (sb_finish_def){.min_hz = r->finish.min_hz,
                                  .max_hz = r->finish.max_hz,
                                  .merge = merge_of(r->finish.merge),
                                  .max_modes = r->finish.max_modes};
    out->finished = (sb_finished){
        .vertex_count = r->head.vertex_count,
        .mode_count = r->finish.mode_count,
        .member_count = r->finish.member_count,
        .modes = (const void *)r->at[SB_SECTION_FINISHED_MODES],
        .shapes = (const void *)r->at[SB_SECTION_FINISHED_SHAPES],
        .report = r->finish.report,
        .owner = sb_solution_retain(solution),
        .patterns = r->patterns,
    };
    if (!r->at[SB_SECTION_EXACT]) return;
    sb_exact_section exact;
    memcpy(&exact, r->at[SB_SECTION_EXACT], sizeof exact);
    out->finish.radiation = out->finished.radiation = SB_RADIATES_EXACT;
    out->finished.exact_count = exact.exact_count;
}

sb_status sb_model_file_read(const char *path, sb_model_file *out,
                             sb_error *err) {
    reading r = {.path = path};
    sb_status status = map_file(path, &r.map, err);
    if (status) return status;
    sb_solution *solution = NULL;
    status = take_sections(&r, err);
    if (!status) status = take_head(&r, err);
    if (!status) status = take_solution(&r, err);
    if (!status) status = take_finished(&r, err);
    if (!status) {
        status = sb_solution_wrap(&r.parts, unmap, r.map, &solution, err);
    }
    if (status) {
        sb_patterns_free(r.patterns);
        unmap(r.map);
        return status;
    }
    fill_in(&r, solution, out);
    return SB_OK;
}

void sb_model_file_free(sb_model_file *file) {
    if (file->has_finished) sb_finished_free(&file->finished);
    sb_solution_release(file->solution);
    *file = (sb_model_file){0};
}

bool sb_model_file_is_finished_for(const sb_model_file *file,
                                   const sb_material *material,
                                   const sb_finish_def *def) {
    const sb_finish_def *own = &file->finish;
    return file->has_finished &&
           sb_material_is_same_vibration(&file->material, material) &&
           own->min_hz == def->min_hz && own->max_hz == def->max_hz &&
           (float)own->merge == (float)def->merge &&
           own->max_modes == def->max_modes &&
           own->radiation == def->radiation &&
           (def->radiation != SB_RADIATES_EXACT || file->finished.patterns);
}
