/* SPDX-License-Identifier: MIT */
/* bindings/cli/render/contact_file.h -- one contact of a render, sample by
 * sample: as CSV and as an image.
 *
 *     t_s,force_n,depth_m,speed_a_m_s,speed_b_m_s,energy_in_j,energy_kept_j,
 *     energy_lost_j,drift
 *
 * The columns are those of the trace in link.h; unknown values are empty. Only
 * blocks in which the bodies may touch have lines. The image shows force,
 * penetration, speeds and energies over the time of contact; for a long
 * contact also an enlarged part around the greatest force.
 *
 * Thread: control.
 * Memory: the caller's struct, initialised to zero; contact_rows_free frees it.
 */
#pragma once

#include "runtime/scene/scene.h"

typedef struct sb_traced sb_traced;

typedef struct contact_rows {
    sb_traced *items; /* times in s instead of frames */
    int count, capacity;
} contact_rows;

/* Collect the trace since the last call. NO_MEMORY, also if there are too many
 * rows. */
SB_NODISCARD sb_status contact_collect(contact_rows *rows, sb_scene *scene,
                                       const sb_engine *engine, sb_error *err);

/* NOT_FOUND if contact `number` has no rows. */
SB_NODISCARD sb_status contact_check(const contact_rows *rows,
                                     const sb_scene *scene, long long number,
                                     sb_error *err);

SB_NODISCARD sb_status contact_write(const contact_rows *rows, const char *path,
                                     sb_error *err);

void contact_rows_free(contact_rows *rows);

/* Draw the contact as PNG; needs at least one row. */
SB_NODISCARD sb_status contact_plot(const contact_rows *rows, double rate_hz,
                                    const char *scene_path, long long number,
                                    const char *path, sb_error *err);
