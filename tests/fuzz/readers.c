/* SPDX-License-Identifier: MIT */
/* Every reader of files and messages. */
#include "tests/fuzz/readers.h"

#include "bindings/cli/render/lines_file.h"
#include "bindings/studio/session/json.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/media/image/image.h"
#include "runtime/media/image/png_file.h"
#include "runtime/media/sound_file.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/mesh/mesh_wire.h"
#include "runtime/model/mesh/reader/assimp_files.h"
#include "runtime/model/mesh/reader/input.h"
#include "runtime/store/export/model_gltf.h"
#include "runtime/store/texture_read.h"
#include "tests/store/model_doors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void demand(bool is_so, const char *what) {
    if (is_so) return;
    (void)fprintf(stderr, "a reader broke its word: %s\n", what);
    abort();
}

static void check_failure(sb_status status, const sb_error *err) {
    demand(err->status == status, "the error has another status");
    demand(strlen(err->message) > 5, "a failure without a sentence");
    demand(!strchr(err->message, '\n'), "more than a sentence");
}

static void as_image(const char *name, const uint8_t *bytes, size_t count) {
    sb_image image;
    sb_error err = {0};
    sb_status status = sb_image_decode(&image, name, bytes, (int)count, &err);
    if (status) {
        check_failure(status, &err);
        return;
    }
    size_t values = (size_t)image.width * (size_t)image.height *
                    (size_t)image.channel_count;
    demand(image.width <= SB_IMAGE_MAX_SIDE &&
               image.height <= SB_IMAGE_MAX_SIDE && values > 0,
           "a picture of no size");
    for (size_t i = 0; i < values; i++)
        demand(isfinite(image.values[i]), "a value that is NaN or infinite");
    sb_image_free(&image);
}

/* A file that is nowhere but in memory, for loaders that want a path. */
static int open_bytes(const uint8_t *bytes, size_t count, char path[64]) {
    int file = memfd_create("input", 0);
    demand(file >= 0, "no file in memory");
    demand(write(file, bytes, count) == (ssize_t)count, "no room for the file");
    (void)snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}

static void as_texture(const char *path, sb_texture_channels channels,
                       sb_texture_encoding encoding) {
    const char *paths[] = {path};
    sb_texture_files files = {.paths = paths,
                              .path_count = 1,
                              .channels = channels,
                              .encoding = encoding};
    sb_texture *texture;
    sb_error err = {0};
    sb_status status = sb_texture_read(&files, &texture, &err);
    if (status) {
        check_failure(status, &err);
        return;
    }
    double weights[4] = {0, 0, 0, 0};
    sb_texture_weights(texture, 0.3, 0.9, 4, NULL, weights);
    for (int k = 0; k < 4; k++)
        demand(isfinite(weights[k]), "a weight that is NaN or infinite");
    sb_texture_release(texture);
}

static void read_image(const uint8_t *bytes, size_t count) {
    char path[64];
    as_image("input.png", bytes, count);
    as_image("input.tga", bytes, count);
    int file = open_bytes(bytes, count, path);
    as_texture(path, SB_TEXTURE_GREY, SB_TEXTURE_AS_SAID);
    as_texture(path, SB_TEXTURE_RGBA, SB_TEXTURE_SIGNED);
    (void)close(file);
}

static void read_note(const uint8_t *bytes, size_t count) {
    sb_weights_note note;
    char *text = sb_alloc(count + 1, 1);
    demand(text, "no memory");
    memcpy(text, bytes, count);
    if (sb_weights_note_read(text, &note))
        demand(note.scale > 0 && isfinite(note.scale), "a scale of nothing");
    sb_free(text);
}

static void read_sound(const uint8_t *bytes, size_t count) {
    char path[64];
    int file = open_bytes(bytes, count, path);
    sb_sound sound;
    sb_error err = {0};
    sb_status status = sb_sound_read(&sound, path, &err);
    (void)close(file);
    if (status) {
        check_failure(status, &err);
        return;
    }
    for (int64_t i = 0; i < sound.frame_count * sound.channel_count; i++)
        demand(!isnan(sound.samples[i]), "a sample that is NaN or infinite");
    sb_sound_free(&sound);
}

/* --- meshes --------------------------------------------------------------- */

static char folder[] = "/dev/shm/sandbell-fuzz-XXXXXX"; /* in memory */

static void remove_folder(void) {
    static const char *const endings[] = {".ply",  ".msh",  ".ele",
                                          ".node", ".obj",  ".stl",
                                          ".glb",  ".json", ".txt"};
    char path[64];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        (void)snprintf(path, sizeof path, "%s/a%s", folder, endings[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

/* In a folder of its own: the readers open only what is inside the mesh's. */
static const char *put_file(const char *ending, const void *bytes,
                            size_t count) {
    static char path[64];
    static bool has_folder = false;
    if (!has_folder) {
        demand(mkdtemp(folder), "no folder");
        (void)atexit(remove_folder);
    }
    has_folder = true;
    (void)snprintf(path, sizeof path, "%s/a%s", folder, ending);
    FILE *out = fopen(path, "wb");
    demand(out, "no file");
    demand(fwrite(bytes, 1, count, out) == count, "no room for the file");
    (void)fclose(out);
    return path;
}

static void check_corners(const sb_mesh *mesh) {
    for (int f = 0; f < mesh->face_count; f++)
        for (int c = 0; c < 3; c++)
            demand(mesh->faces[f][c] >= 0 &&
                       mesh->faces[f][c] < mesh->vertex_count,
                   "a corner that is no vertex");
}

static void check_mesh(const sb_mesh *mesh) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        sb_vec3 v = mesh->vertices[i];
        demand(isfinite(v.x) && isfinite(v.y) && isfinite(v.z),
               "a vertex that is NaN or infinite");
    }
    check_corners(mesh);
}

/* As sb_mesh_read does with what the child sent; takes the soup. */
static bool clean_soup(sb_mesh *soup) {
    sb_mesh mesh = {0};
    sb_mesh_report report;
    sb_error err = {0};
    sb_status status = sb_mesh_clean(soup, &mesh, &report, &err);
    if (status) {
        check_failure(status, &err);
        return false;
    }
    check_mesh(&mesh);
    sb_mesh_free(&mesh);
    return true;
}

typedef sb_status (*soup_reader)(const char *path, sb_soup *soup,
                                 sb_error *err);

static bool read_soup(const char *path, soup_reader read) {
    sb_soup soup = {0};
    sb_error err = {0};
    sb_status status = read(path, &soup, &err);
    if (!status) return clean_soup(&soup.mesh);
    check_failure(status, &err);
    sb_mesh_free(&soup.mesh);
    return false;
}

bool fuzz_read_mesh(const char *ending, soup_reader read, const uint8_t *bytes,
                    size_t count) {
    long before = sb_memory_live_blocks();
    bool is_mesh = read_soup(put_file(ending, bytes, count), read);
    demand(sb_memory_live_blocks() == before, "memory left behind");
    return is_mesh;
}

static void read_ply(const uint8_t *bytes, size_t count) {
    (void)read_soup(put_file(".ply", bytes, count), sb_read_ply);
}

static void read_msh(const uint8_t *bytes, size_t count) {
    (void)read_soup(put_file(".msh", bytes, count), sb_read_gmsh);
}

/* The .node file, a percent sign, the .ele file. */
static void read_tet(const uint8_t *bytes, size_t count) {
    const uint8_t *cut = memchr(bytes, '%', count);
    size_t first = cut ? (size_t)(cut - bytes) : count;
    size_t skip = first + (cut != NULL);
    (void)put_file(".ele", bytes + skip, count - skip);
    (void)read_soup(put_file(".node", bytes, first), sb_read_tetgen);
}

/* What is rewritten needs no more rewriting. */
static void read_obj_numbers(const uint8_t *bytes, size_t count) {
    char *text = sb_alloc(count + 1, 1), *twice = NULL;
    size_t size = count;
    demand(text, "no memory");
    memcpy(text, bytes, count);
    demand(sb_obj_rewrite_numbers(&text, &size), "no memory");
    demand(text[size] == '\0', "no zero at the end");
    size_t again = size;
    twice = sb_alloc(size + 1, 1);
    demand(twice, "no memory");
    memcpy(twice, text, size);
    demand(sb_obj_rewrite_numbers(&twice, &again), "no memory");
    demand(again == size && memcmp(text, twice, size) == 0,
           "numbers that change when they are rewritten again");
    sb_free(twice);
    sb_free(text);
}

/* What a child may send. */
static void read_wire(const uint8_t *bytes, size_t count) {
    char path[64];
    sb_mesh soup = {0};
    sb_error err = {0};
    sb_mesh_child child = {.process = -1,
                           .pipe = open_bytes(bytes, count, path),
                           .deadline_ns = sb_clock_ns() + 10000000000};
    demand(lseek(child.pipe, 0, SEEK_SET) == 0, "no beginning");
    sb_wire_answer answer = sb_mesh_wire_read(&child, &soup, &err);
    (void)close(child.pipe);
    if (answer == SB_WIRE_GOT_MESH) {
        check_corners(&soup);
        (void)clean_soup(&soup);
    }
    if (answer == SB_WIRE_GOT_SENTENCE)
        demand(err.status > SB_OK && err.status < SB_STATUS_COUNT,
               "a sentence without a status");
}

/* With assimp, in the child: slow. */
static void read_by_child(const char *path) {
    sb_mesh mesh = {0};
    sb_error err = {0};
    sb_status status = sb_mesh_read(path, 1, &mesh, NULL, &err);
    if (status) {
        check_failure(status, &err);
        return;
    }
    check_mesh(&mesh);
    sb_mesh_free(&mesh);
}

static void read_obj(const uint8_t *bytes, size_t count) {
    read_by_child(put_file(".obj", bytes, count));
}

static void read_stl(const uint8_t *bytes, size_t count) {
    read_by_child(put_file(".stl", bytes, count));
}

static void read_glb(const uint8_t *bytes, size_t count) {
    read_by_child(put_file(".glb", bytes, count));
}

/* --- models --------------------------------------------------------------- */

/* Signed anew, so that more than the checksums is read. */
static void read_modal(const uint8_t *bytes, size_t count) {
    static const sb_material steel = {7850, 200e9, .29, 5, 3e-8, 1e9,
                                      1e-6, .5,    .4,  0, 0};
    char path[64];
    bool is_read;
    char *copy = sb_alloc(count + 1, 1);
    demand(copy, "no memory");
    memcpy(copy, bytes, count);
    doors_sign(copy, count);
    int file = open_bytes((const uint8_t *)copy, count, path);
    const char *fault = doors_open(path, &steel, &is_read);
    demand(!fault, fault);
    (void)close(file);
    sb_free(copy);
}

static void read_gltf(const uint8_t *bytes, size_t count) {
    char path[64];
    sb_gltf_model model = {0};
    sb_error err = {0};
    int file = open_bytes(bytes, count, path);
    sb_status status = sb_model_import_gltf(path, &model, &err);
    (void)close(file);
    if (status) {
        check_failure(status, &err);
        return;
    }
    for (int k = 0; k < model.finished.mode_count; k++)
        demand(isfinite(model.finished.modes[k].freq_hz), "no frequency");
    for (int i = 0; i < model.vertex_count; i++)
        for (int c = 0; c < 3; c++)
            demand(isfinite(model.vertices[i][c]), "no vertex");
    sb_gltf_model_free(&model);
}

/* --- text ----------------------------------------------------------------- */

/* The fields of a page's message, each read as all types. */
static void read_json_fields(const cJSON *json) {
    const cJSON *item;
    cJSON_ArrayForEach(item, json) {
        const char *name = item->string, *text;
        if (!name) continue;
        double number = 1;
        long long whole = 1;
        sb_vec3 v = {0, 0, 0};
        bool is_so = false, is_there = false;
        (void)read_number(json, name, -10, 10, &number, NULL);
        (void)read_whole(json, name, -10, 10, &whole, NULL);
        (void)read_vec3(json, name, &v, &is_there, NULL);
        (void)read_bool(json, name, &is_so, &is_there, NULL);
        if (read_text(json, name, &text, NULL) && text)
            demand(strlen(text) < 1 << 22, "a text without an end");
        demand(fabs(number) <= 10 && whole >= -10 && whole <= 10,
               "a number beyond its range");
        demand(fabs(v.x) + fabs(v.y) + fabs(v.z) <= 3e6, "a place beyond");
    }
}

static void read_json(const uint8_t *bytes, size_t count) {
    cJSON *json = cJSON_ParseWithLength((const char *)bytes, count);
    read_json_fields(json);
    cJSON_Delete(json);
}

static void read_lines(const char *ending, const uint8_t *bytes, size_t count) {
    lines_file lines = {0};
    sb_error err = {0};
    sb_status status = lines_read(&lines, put_file(ending, bytes, count), &err);
    if (status) check_failure(status, &err);
    for (int i = 0; i < lines.count; i++)
        demand(lines.lines[i].freq_hz > 0 && isfinite(lines.lines[i].freq_hz),
               "a line without a frequency");
    lines_free(&lines);
}

static void read_lines_json(const uint8_t *bytes, size_t count) {
    read_lines(".json", bytes, count);
}

static void read_lines_text(const uint8_t *bytes, size_t count) {
    read_lines(".txt", bytes, count);
}

/* --- all of them ---------------------------------------------------------- */

const fuzz_reader fuzz_readers[] = {
    {"image", ".png.jpg.tga.bmp.hdr.psd.gif.pgm.tif.", read_image},
    {"note", ".note.", read_note},
    {"sound", ".wav.flac.", read_sound},
    {"modal", ".modal.", read_modal},
    {"gltf", ".gltf.", read_gltf},
    {"ply", ".ply.", read_ply},
    {"msh", ".msh.", read_msh},
    {"tet", ".tet.", read_tet},
    {"obj_numbers", ".obj.", read_obj_numbers},
    {"wire", ".wire.", read_wire},
    {"obj", ".obj.", read_obj},
    {"stl", ".stl.", read_stl},
    {"glb", ".glb.", read_glb},
    {"json", ".json.", read_json},
    {"lines_json", ".json.", read_lines_json},
    {"lines_text", ".lines.", read_lines_text},
    {NULL, NULL, NULL}};

void fuzz_read(const fuzz_reader *reader, const uint8_t *bytes, size_t count) {
    long before = sb_memory_live_blocks();
    reader->read(bytes, count);
    demand(sb_memory_live_blocks() == before, "memory left behind");
}
