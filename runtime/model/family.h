/* runtime/model/family.h -- what a family of shapes gives to a model.
 *
 * Private to runtime/model. Each family (bar.c, plate.c, ...) fills in the
 * body's mass, inertia and area, then hands in its modes in any order through
 * sb_model_add; modal_model.c sorts them, cuts them off at the limits and
 * answers all questions about them with the help of the family's functions.
 *
 * Thread: control, workers. Memory: `extra` belongs to the model.
 */
#ifndef SB_MODEL_FAMILY_H
#define SB_MODEL_FAMILY_H

#include "runtime/model/modal_model.h"

#include <stdatomic.h>

/* Air at 20 C. */
#define SB_AIR_DENSITY 1.204 /* kg/m^3 */
#define SB_AIR_SPEED   343.2 /* m/s */

enum { SB_MODE_COEFS = 8 };

/* All a family needs to evaluate one mode. Meanings are the family's own. */
typedef struct sb_mode_shape {
    int kind;
    int m, n;
    double c[SB_MODE_COEFS];
} sb_mode_shape;

typedef struct sb_draft_mode {
    sb_mode mode;
    sb_mode_shape shape;
    long long pitch_key; /* equal for pitches that are equal but for rounding */
    int order;           /* of arrival: breaks ties */
} sb_draft_mode;

/* One of several things in a file, as a rigid body. */
typedef struct sb_model_part {
    double mass_kg;
    sb_vec3 centre_m;
    double inverse_inertia[6]; /* as in sb_model */
} sb_model_part;

/* The same questions asked of a mesh, about places on its triangles, or of a
 * solid, about places on its faces. */
typedef struct sb_mesh_family {
    void (*weights)(const sb_model *model, sb_model_point point,
                    sb_vec3 direction, double *weights);
    sb_vec3 (*position)(const sb_model *model, sb_model_point point);
    sb_vec3 (*normal)(const sb_model *model, sb_model_point point);
    sb_model_point (*nearest)(const sb_model *model, sb_vec3 point_m);
    sb_model_point (*at_uv)(const sb_model *model, double u, double v);
    bool (*has_uv)(const sb_model *model);
    void (*uv_of)(const sb_model *model, sb_model_point point, double *u,
                  double *v);
    int (*face_count)(const sb_model *model);
    /* The thing that the place is on; NULL: there is but one. */
    const sb_model_part *(*part)(const sb_model *model, sb_model_point point);
} sb_mesh_family;

typedef struct sb_family {
    const char *method;
    const sb_mesh_family *mesh; /* then the functions below are NULL */
    sb_status (*build)(sb_model *model, sb_error *err);
    /* `direction` is of unit length or zero; u and v lie in 0 .. 1. */
    void (*weights)(const sb_model *model, double u, double v,
                    sb_vec3 direction, double *weights);
    sb_vec3 (*position)(const sb_model *model, double u, double v);
    void (*nearest)(const sb_model *model, sb_vec3 point_m, double *u,
                    double *v);
    sb_vec3 (*normal)(const sb_model *model, double u, double v); /* or NULL */
    void (*free_extra)(void *extra);                              /* or NULL */
} sb_family;

struct sb_model {
    atomic_int users;
    const sb_family *family;
    sb_shape shape; /* its `modes` is valid during build only */
    sb_material material;
    sb_model_limits limits;

    double mass_kg;
    double area_m2;   /* the whole surface */
    sb_vec3 centre_m; /* of mass; the origin for closed forms */
    /* 1/(kg m^2) about it: xx yy zz xy yz zx. */
    double inverse_inertia[6];
    bool is_held;

    sb_mode *modes;
    sb_mode_shape *shapes;
    int mode_count;
    double *slopes; /* of radiation (hearing.h); NULL: as a sphere */
    void *extra;

    /* A rescaled model (rescale.c) asks this one for its shapes; else NULL. */
    sb_model *base;
    double base_size;   /* our lengths over its lengths */
    double base_weight; /* our phi over its phi */

    /* While it is being built. */
    sb_draft_mode *drafts;
    int draft_count, draft_capacity;
    double lowest_hz; /* of all modes seen, kept or not; 0 is none */
};

extern const sb_family sb_family_bar;
extern const sb_family sb_family_plate;
extern const sb_family sb_family_plate_ritz;
extern const sb_family sb_family_disk;
extern const sb_family sb_family_membrane_round;
extern const sb_family sb_family_membrane;
extern const sb_family sb_family_string;
extern const sb_family sb_family_ring;
extern const sb_family sb_family_hand_modes;
extern const sb_family sb_family_rigid;
extern const sb_family sb_family_solid; /* when it does not ring */

/* Hand in a mode. `mean_square` is that of phi . n over the whole surface, in
 * 1/kg. An empty label becomes "mode 7", its place in the sorted list. A mode
 * above the limit is noted and dropped. */
SB_NODISCARD sb_status sb_model_add(sb_model *model, double freq_hz,
                                    double mean_square,
                                    const sb_mode_shape *shape,
                                    const char *label, sb_error *err);

/* The same for a mode whose decay and radiation are known already. */
SB_NODISCARD sb_status sb_model_add_mode(sb_model *model, const sb_mode *mode,
                                         const sb_mode_shape *shape,
                                         sb_error *err);

/* Remember a pitch for the sentence that names the lowest, without a mode. */
void sb_model_note(sb_model *model, double freq_hz);

/* Mass and inertia of a box of these edges along x, y, z. */
void sb_model_set_box(sb_model *model, double x_m, double y_m, double z_m);

/* Mass and inertia of a sphere, box or cylinder. */
void sb_model_set_solid(sb_model *model);

/* Torsion constant J of a solid rectangle, m^4, by St Venant's series. */
double sb_rectangle_torsion(double width_m, double height_m);

#endif
