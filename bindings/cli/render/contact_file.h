/* bindings/cli/render/contact_file.h -- one contact of a render, sample by
 * sample.
 *
 *     t_s,force_n,depth_m,speed_a_m_s,speed_b_m_s,energy_in_j,energy_kept_j,
 *     energy_lost_j,drift
 *
 * The columns are those of the trace in link.h; unknown values are empty. Only
 * blocks in which the bodies may touch have lines.
 *
 * Thread: control.
 * Memory: the caller's struct, initialised to zero; contact_rows_free frees it.
 */
#ifndef SB_BINDINGS_CLI_RENDER_CONTACT_FILE_H
#define SB_BINDINGS_CLI_RENDER_CONTACT_FILE_H

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

#endif
