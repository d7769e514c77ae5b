/* SPDX-License-Identifier: MIT */
/* runtime/store/model_sections.h -- the layout of a .modal file.
 *
 * For model_file.c, model_file_write.c, and for tests that change files. The structs have
 * the same layout in the file and in memory: their sizes are asserted and they
 * have no padding.
 */
#pragma once

#include "runtime/model/solution.h"
#include "runtime/store/model_file.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* Detects damaged files: XXH3, 64 bits, about as fast as memory. It protects
 * against accidents, not against attackers; identities come from SHA-256
 * (runtime/base/digest.h). */
uint64_t sb_checksum(const void *bytes, size_t count);

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error ".modal files are little-endian and used in place"
#endif

#define SB_MODEL_MAGIC "\x89SBMOD\r\n"

enum { SB_MODEL_VERSION = 1, SB_SECTION_ALIGN = 64, SB_SECTIONS_MOST = 32 };

typedef enum sb_section_kind {
    SB_SECTION_HEAD = 1,
    SB_SECTION_VERTICES,
    SB_SECTION_FACES,
    SB_SECTION_UVS,
    SB_SECTION_LAMBDAS,
    SB_SECTION_SHAPES,
    SB_SECTION_FINISH,
    SB_SECTION_FINISHED_MODES,
    SB_SECTION_FINISHED_SHAPES,
    SB_SECTION_GRAIN,
    SB_SECTION_EXACT,
    SB_SECTION_PATTERNS,
    SB_SECTION_PATTERN_COEFS,
    SB_SECTION_KINDS
} sb_section_kind;

typedef struct sb_model_header {
    char magic[8];
    uint32_t version;
    uint32_t section_count;
    uint64_t file_bytes;
    uint64_t table_checksum;
} sb_model_header;

typedef struct sb_section {
    uint32_t kind;
    uint32_t zero;
    uint64_t offset, bytes, checksum;
} sb_section;

/* The first fields of a material, which its modes depend on, and hardness and
 * roughness; restitution and friction are not part of a model. */
typedef struct sb_stored_material {
    double density, youngs_modulus, poisson_ratio, alpha, beta;
    double hardness, roughness;
} sb_stored_material;

/* Only in a file whose material has a grain. */
typedef struct sb_grain_section {
    double youngs_modulus_across, shear_modulus;
} sb_grain_section;

/* Only in a file whose finished modes were heard by boundary elements. */
typedef struct sb_exact_section {
    int32_t exact_count, zero;
} sb_exact_section;

typedef struct sb_head_section {
    sb_solution_facts facts;
    int32_t vertex_count, face_count, mode_count;
    int32_t has_material;
    sb_stored_material material;
    char key[72];
} sb_head_section;

typedef struct sb_finish_section {
    double min_hz, max_hz;
    int32_t merge; /* 0, 1, or the bits of another float */
    int32_t max_modes;
    int32_t mode_count, member_count;
    sb_finish_report report;
} sb_finish_section;

static_assert(sizeof(sb_model_header) == 32, "packed");
static_assert(sizeof(sb_section) == 32, "packed");
static_assert(sizeof(sb_solution_facts) == 152, "packed");
static_assert(sizeof(sb_stored_material) == 56 &&
                  offsetof(sb_material, restitution) == 56,
              "packed");
static_assert(sizeof(sb_grain_section) == 16, "packed");
static_assert(sizeof(sb_exact_section) == 8, "packed");
static_assert(sizeof(sb_pattern_head) == 8, "packed");
static_assert(sizeof(sb_head_section) == 152 + 16 + 56 + 72, "packed");
static_assert(sizeof(sb_finish_report) == 24, "packed");
static_assert(sizeof(sb_finish_section) == 32 + 24, "packed");
static_assert(sizeof(sb_finished_mode) == 32, "packed");

static inline uint64_t sb_section_padded(uint64_t bytes) {
    uint64_t align = SB_SECTION_ALIGN;
    return (bytes + align - 1) / align * align;
}
