/* SPDX-License-Identifier: MIT */
/* runtime/scene/deform/journal.h -- what deformable bodies did, on disk.
 *
 * A file of ticks: sound of all bodies, where they are, what they did to rigid
 * bodies, and every 10 ms their surfaces. Beside it, PATH.state is the last
 * checkpoint: the state of the simulation, and how long the journal was then.
 * What follows a checkpoint in the journal is not used by a RESUME.
 *
 * Numbers are those of this machine: a journal is a cache, not a format to
 * exchange. Each tick has a hash of all that was done to the bodies before it.
 *
 * Thread: control. Memory: the caller's; a tick grows as needed.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct sb_deform_reaction sb_deform_reaction;
typedef struct sb_deform_touch_frame sb_deform_touch_frame;

/* How many of everything a tick has. */
typedef struct journal_sizes {
    uint64_t fingerprint; /* of the bodies */
    int channels, bodies, colliders, vertices;
} journal_sizes;

typedef struct deform_place_now {
    sb_vec3 centre_m, velocity_m_s;
} deform_place_now;

/* A strike that is over, and what came of it; counted from 0. */
typedef struct deform_blow {
    int64_t number;
    double contact_s, impulse_ns, peak_n;
} deform_blow;

/* No more strikers are in contact at once (deform.h). */
enum { DEFORM_BLOWS = 64 };

typedef struct deform_tick {
    double time_s;
    uint64_t inputs;
    int64_t first; /* frame of its sound, at 48 kHz */
    int count;     /* frames */
    float *frames; /* [frame][channel] */
    int frame_capacity;
    int touch_count, touch_capacity;
    sb_deform_touch_frame *touches;
    sb_deform_reaction *reactions; /* [collider] */
    deform_place_now *places;      /* [body] */
    bool has_pose;
    float *pose; /* [vertex][3] */
    int blow_count;
    deform_blow blows[DEFORM_BLOWS];
} deform_tick;

SB_NODISCARD sb_status deform_tick_make(deform_tick *tick,
                                        const journal_sizes *sizes,
                                        sb_error *err);
void deform_tick_free(deform_tick *tick);
/* Room for as many frames and touches; NO_MEMORY. */
SB_NODISCARD sb_status deform_tick_grow(deform_tick *tick,
                                        const journal_sizes *sizes, int frames,
                                        int touches, sb_error *err);

typedef struct deform_journal {
    FILE *file;
    char path[1024];
    journal_sizes sizes;
    int64_t bytes; /* written or read so far */
} deform_journal;

/* A new one, in place of any that is there. NOT_FOUND, IO_ERROR. */
SB_NODISCARD sb_status journal_create(deform_journal *journal, const char *path,
                                      const journal_sizes *sizes,
                                      sb_error *err);
/* One that is there. NOT_FOUND; BAD_FORMAT: of other bodies, or damaged. */
SB_NODISCARD sb_status journal_open(deform_journal *journal, const char *path,
                                    const journal_sizes *sizes, bool may_write,
                                    sb_error *err);
void journal_close(deform_journal *journal);
/* Back to its first tick. */
SB_NODISCARD sb_status journal_rewind(deform_journal *journal);

SB_NODISCARD sb_status journal_write(deform_journal *journal,
                                     const deform_tick *tick, sb_error *err);
/* False at the end, or where the rest is damaged. */
bool journal_read(deform_journal *journal, deform_tick *tick);
/* Go on writing here: what follows is cut off. */
SB_NODISCARD sb_status journal_cut(deform_journal *journal, sb_error *err);

/* --- checkpoints --------------------------------------------------------- */

typedef struct deform_checkpoint {
    int64_t journal_bytes;
    double time_s;
    uint64_t inputs;
    bool is_over; /* the scene was played to its end */
    void *state;
    size_t state_bytes;
} deform_checkpoint;

/* Flushes the journal, then replaces its checkpoint. */
SB_NODISCARD sb_status journal_mark(deform_journal *journal,
                                    const deform_checkpoint *checkpoint,
                                    sb_error *err);
/* The caller frees `state` with sb_free. NOT_FOUND, BAD_FORMAT, NO_MEMORY. */
SB_NODISCARD sb_status journal_find_mark(const char *path,
                                         const journal_sizes *sizes,
                                         deform_checkpoint *out, sb_error *err);
