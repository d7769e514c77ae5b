/* SPDX-License-Identifier: MIT */
/* runtime/deform/deform_state.h -- what the files of this room share.
 *
 * Everything that changes with time is in one block, sb_deform.state: a
 * checkpoint is a copy of it. The rest is constant after creation, or scratch
 * that is written before it is read within a step.
 *
 * A step has two phases with a barrier after each, so that no thread reads what
 * another writes:
 *
 *     elements   forces of all groups into `forces`; member 0 also computes
 *                loads of strikes, pushes and touching bodies into `push`
 *     nodes      each chunk sums the forces on its nodes in a fixed order and
 *                moves them
 *
 * Node numbers: a body's nodes are consecutive, those of its surface first.
 * Sheets come before solids, so that only the first `turn_count` nodes turn.
 * Vectors of nodes are rows of four numbers, the fourth 0.
 *
 * Thread: as deform.h. Memory: sb_deform_destroy frees everything.
 */
#pragma once

#include "runtime/base/name.h"
#include "runtime/deform/deform.h"
#include "runtime/deform/team.h"

typedef struct sb_deform_kernel sb_deform_kernel;
typedef struct sb_shell_group sb_shell_group;
typedef struct sb_tet_group sb_tet_group;
typedef struct sb_tet_metric sb_tet_metric;

enum {
    CHUNK_NODES = 64,
    CHUNK_GROUPS = 8,
    CHECK_STEPS = 64, /* between checks of energy and elements */
    /* At most, between applications of the damping by mass; a power of two. */
    ALPHA_STEPS = 16,
    STRIKES_MOST = 64,
    PUSHES_MOST = 32,
    DRIVES_MOST = 16,
    FINE_RATE_HZ = 192000,
    FINE_PER_FRAME = FINE_RATE_HZ / SB_DEFORM_RATE_HZ
};

/* Bits of has_push. */
enum { PUSHED = 1, DRIVEN = 2 };

/* Which rigid motions the holds leave to a body; damping by mass spares them. */
typedef enum rigid_kind {
    RIGID_NONE,
    RIGID_HINGE, /* about an axis through `pivot` */
    RIGID_POINT, /* about `pivot` */
    RIGID_FREE
} rigid_kind;

typedef struct deform_body {
    char name[SB_NAME_SIZE];
    bool is_sheet;
    bool has_back;    /* an open sheet: both of its faces sound */
    bool is_straight; /* all edges of a solid's elements */
    sb_material material;
    double thickness_m, volume_m3, mass_kg;
    sb_vec3 position_m;
    sb_quat rotation;
    int node_first, node_count; /* with padding to four for sheets */
    int real_count;             /* without it */
    int surface_count;
    int group_first, group_count; /* in `tets` or `shells` */
    int element_count;
    int metric_first;           /* in `metrics` */
    int face_first, face_count; /* in `faces` */
    size_t memory_at;
    rigid_kind rigid;
    sb_vec3 pivot, axis;
    double lame, shear_twice, rate, gain; /* kernel.h */
    double alpha_keep;
    bool hovers;
    double rigid_keep; /* of the motion as a whole; 1: all of it */
    double radius_m;   /* that its sound is computed for */
    double slowest_s2; /* of a sheet's triangles: the greatest (kernel.h) */
    double limit_hz;   /* that a sheet's triangles resolve; else INFINITY */
} deform_body;

typedef struct node_chunk {
    int body, first, last;
    bool is_surface;
} node_chunk;

typedef struct group_chunk {
    int body, first, last; /* in the body's groups */
} group_chunk;

/* Three nodes and their shares of a point. */
typedef struct deform_place {
    int nodes[3];
    double shares[3];
    sb_vec3 normal; /* outward, at rest */
} deform_place;

typedef struct strike_state {
    deform_place place;
    sb_vec3 direction;
    int64_t start;
    double mass_kg, stiffness;
    double at_m, speed_m_s; /* of the ball along `direction` */
    bool is_used;
    sb_deform_blow blow;
} strike_state;

typedef struct push_state {
    bool is_used, has_place;
    int body;
    deform_place place;
    double mass_kg;  /* of the nodes in the box */
    int first, last; /* they are among these */
    sb_vec3 force_n, moment_nm;
    sb_deform_signal signal;
} push_state;

typedef struct drive_state {
    bool is_used, is_clamped, is_loose;
    int body;
    sb_vec3 displacement_m;
    int64_t until;
    sb_deform_signal signal;
} drive_state;

/* The account of one body; work is done on it from outside. */
typedef struct body_account {
    double first_j, work_j, gross_j;
    sb_vec3 about; /* a point near the body, for sums of moments */
} body_account;

/* One bit per collider. */
typedef struct deform_mask {
    uint64_t bits[SB_DEFORM_COLLIDERS / 64];
} deform_mask;

typedef struct collider_state {
    sb_deform_collider def; /* as it was at step `since`; without faces */
    int64_t since;
    bool is_awake; /* pushed since then: it is where the following says */
    sb_vec3 at, velocity_m_s, spin_rad_s;
    sb_quat rotation;
    sb_vec3 impulse_ns, moment_nms; /* not taken yet */
    double contacts;                /* N of deform_collider.h */
} collider_state;

/* At the last check: kinetic and elastic energy, work done on the bodies. */
typedef struct sb_deform_energy {
    double kinetic_j, elastic_j, work_j;
    double smoothed_j; /* taken from what triangles do not resolve */
    double least;      /* det F or what kernel.h gives for sheets */
} sb_deform_energy;

typedef struct state_head {
    uint64_t fingerprint;
    uint64_t bytes;
    int64_t step;
    int64_t frames; /* complete */
    int64_t frames_read;
    int strike_next;
    int strikes_used, pushes_used;
    sb_error failure; /* status 0: none */
    sb_deform_energy energy;
    strike_state strikes[STRIKES_MOST];
    push_state pushes[PUSHES_MOST];
    drive_state drives[DRIVES_MOST];
    collider_state colliders[SB_DEFORM_COLLIDERS];
    int64_t collider_step; /* that colliders which are awake have reached */
    bool is_near_due;      /* colliders were set: near ones are not known */
    deform_mask active;    /* colliders that are near anything */
    sb_vec3 ear_m;
    body_account accounts[SB_DEFORM_BODIES];
} state_head;

/* What a chunk of nodes adds up: at checks and before damping by mass. */
typedef struct chunk_sums {
    double kinetic_j, potential_j;
    double work_j, gross_j, smoothed_j; /* before the step */
    sb_vec3 mass_x, mass_v, moment;
    double inertia[6]; /* xx yy zz xy yz zx of m x x' */
    double spin_inertia;
} chunk_sums;

/* The motion of a body as a whole: velocity at `about`, spin and its change. */
typedef struct deform_rigid {
    sb_vec3 velocity_m_s, spin_rad_s, turn_rad_s2, about;
} deform_rigid;

typedef struct deform_sound deform_sound;         /* sound.h */
typedef struct deform_touch deform_touch;         /* deform_touch.h */
typedef struct deform_colliders deform_colliders; /* deform_collider.h */

/* run/deform.c: steady time of a step on all threads and on one; INFINITY: not
 * known. */
typedef struct deform_pace {
    double team_s, alone_s;
    int64_t trial_step; /* when to try the slower way again */
} deform_pace;

/* elements.c. The energy and memory of groups: tets, then shells. */
typedef struct deform_elements {
    int tet_groups, shell_groups;
    sb_tet_group *tets;
    int metric_count;
    sb_tet_metric *metrics;
    sb_shell_group *shells;
    int row_count;
    int *row_start;           /* [node + 1]: of `forces` and `moments` */
    double *forces, *moments; /* scratch, [row][4] */
    double *energy_j, *least; /* scratch, [group] */
    size_t memory_count;
    double *memory; /* state */
} deform_elements;

/* What threads take. */
typedef struct deform_chunks {
    int node_count, group_count;
    node_chunk *nodes;
    group_chunk *groups;
    int *of_node;            /* [node] */
    unsigned char *has_push; /* [node chunk]: PUSHED, DRIVEN */
    chunk_sums *sums;        /* scratch, [node chunk] */
    double *work; /* state, [node chunk][3]: work; its gross; smoothed */
} deform_chunks;

/* loads.c */
typedef struct deform_loads {
    double *push;      /* [node][4], zero but for loads of this step */
    double *moment;    /* [turn][4], likewise */
    int *drive_of;     /* state, [node]: 1 + drive; 0: none */
    unsigned *push_of; /* state, [node]: bits of pushes over a box */
} deform_loads;

/* Damping by mass, once in some steps. */
typedef struct deform_brake {
    int steps;
    bool is_on;          /* for any body */
    deform_rigid *rigid; /* scratch, [body] */
} deform_brake;

/* run/nodes.c */
typedef struct deform_smoothing {
    int steps;             /* between two; 0: no sheet */
    double *moves, *turns; /* scratch, [turn][4] */
} deform_smoothing;

struct sb_deform {
    int body_count;
    deform_body *bodies;
    const sb_deform_kernel *kernel;
    double step_s;
    int fine_steps; /* R: steps per sample at 192 kHz */
    int threads;
    deform_pace pace;
    sb_vec3 gravity_m_s2;
    int collider_count;
    double air_density, speed_of_sound_m_s;
    double bytes;
    void *arrays; /* that are no state */
    bool has_ear;
    const atomic_bool *must_stop; /* NULL: nobody asks for it */

    int node_count, turn_count, face_count;
    double *rest;            /* [node][4]; where the bodies are at first */
    double *mass;            /* [node] */
    double *centre_weights;  /* [node]: 0 inside */
    double *inverse_mass;    /* [node], 0: held */
    double *inertia;         /* [turn] */
    double *inverse_inertia; /* [turn], 0: clamped */
    int (*faces)[3];         /* over the surface nodes of a body */
    deform_elements elements;
    deform_chunks chunks;
    deform_loads loads;
    deform_brake brake;
    deform_smoothing smoothing;

    size_t state_bytes;
    state_head *state;              /* the state begins with it */
    double *positions, *velocities; /* state, [node][4] */
    double *quats, *spins;          /* state, [turn][4]: x y z w; rad/s */
    deform_sound *sound;            /* NULL: no ear */
    deform_touch *touch;            /* NULL: bodies do not touch */
    deform_colliders *colliders;    /* NULL: there are none */
};

/* Arrays in one block, which is laid out twice: first to count its bytes, then
 * to find the arrays. Each begins at a multiple of 64 bytes and is zero. */
typedef struct deform_layout {
    unsigned char *start; /* NULL: only counted */
    size_t bytes;
} deform_layout;

static inline void *deform_place_array(deform_layout *layout, size_t count,
                                       size_t size) {
    void *at = layout->start ? layout->start + layout->bytes : NULL;
    layout->bytes += (count * size + 63) / 64 * 64;
    return at;
}

/* run/build.c: takes the block that `place` lays out. `start` is NULL when out of
 * memory. */
deform_layout deform_lay_out(sb_deform *deform,
                             void (*place)(sb_deform *, deform_layout *));

static inline sb_status deform_no_memory(sb_error *err) {
    return sb_no_memory(err, "deformable bodies");
}

/* Is its velocity changed between steps? */
static inline bool is_braked(const deform_body *body) {
    return body->alpha_keep < 1 || body->rigid_keep < 1;
}

static inline sb_vec3 row_vec3(const double *rows, int i) {
    const double *at = rows + 4 * (size_t)i;
    return (sb_vec3){at[0], at[1], at[2]};
}

static inline void set_row(double *rows, int i, sb_vec3 v) {
    double *at = rows + 4 * (size_t)i;
    at[0] = v.x;
    at[1] = v.y;
    at[2] = v.z;
}

static inline void add_row(double *rows, int i, sb_vec3 v) {
    double *at = rows + 4 * (size_t)i;
    at[0] += v.x;
    at[1] += v.y;
    at[2] += v.z;
}

/* build.c */
SB_NODISCARD sb_status deform_build(sb_deform *deform, const sb_deform_def *def,
                                    sb_error *err);
SB_NODISCARD sb_status deform_find_limit(sb_deform *deform, double *omega,
                                         sb_error *err);
/* state.c */
SB_NODISCARD sb_status deform_state_make(sb_deform *deform,
                                         const sb_deform_def *def,
                                         sb_error *err);
/* When step and coefficients are known. */
void deform_state_seal(sb_deform *deform);

/* elements.c */
void deform_group_forces(sb_deform *deform, int chunk, bool has_sums);
/* nodes.c */
void deform_move_chunk(sb_deform *deform, int chunk, int64_t step);
void deform_brake_chunk(sb_deform *deform, int chunk,
                        const deform_rigid *rigid);
/* nodes.c: smoothing, when the step is known; rounds, in two phases each with a barrier
 * after it. */
enum { SMOOTH_ROUNDS = 4 };
void deform_smooth_set(sb_deform *deform);
void deform_smooth_elements(sb_deform *deform, int chunk, int round);
void deform_smooth_nodes(sb_deform *deform, int chunk, int round);
/* loads.c */
void deform_load(sb_deform *deform, int64_t step);
void deform_push_node(sb_deform *deform, int node, sb_vec3 force_n);
double deform_signal_at(const sb_deform_signal *signal, double time_s);
/* loads.c */
/* The shares of corners in the point of a triangle nearest to p, and its
 * distance. Shares that are not inside are exactly 0. */
double deform_shares(const sb_vec3 corners[3], sb_vec3 p, double shares[3]);
void deform_centre_make(sb_deform *deform);
/* `rows` are of the body's surface nodes. */
sb_vec3 deform_centre_in(const sb_deform *deform, int body, const double *rows);
/* sums.c: potential energy and places before the step; the rest after it.
 * `before` has the velocities of the chunk before it, or is NULL: no energy. */
void deform_sum_places(sb_deform *deform, int chunk);
void deform_sum_chunk(sb_deform *deform, int chunk, const double *before,
                      const double *spins_before);
/* From the sums of the chunks. */
deform_rigid deform_rigid_of(const sb_deform *deform, int body);
/* Whether all is well; else the failure is in the state. */
bool deform_check(sb_deform *deform);
