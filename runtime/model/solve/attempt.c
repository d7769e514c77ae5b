/* SPDX-License-Identifier: MIT */
#include "runtime/model/solve/attempt.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/moments.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solve/mechanisms.h"
#include "runtime/model/solve/mesh_prepare.h"
#include "runtime/model/textures/skin_uv.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

/* --- how small elements must be ------------------------------------------- */

/* Waves besides bending add modes. */
#define MORE 1.2

/* Of waves on the surface, E = 1 and rho = 1. */
static double surface_speed(double poisson_ratio) {
    double n = poisson_ratio, shear = 1 / sqrt(2 * (1 + n));
    return shear * (0.862 + 1.14 * n) / (1 + n); /* Viktorov */
}

/* The same in a full body, by Mindlin's theory itself: the root k^2 of
 *
 *     (w^2 - g k^2) (w^2 i - p k^2 i - g) = g^2 k^2
 *
 * with g = c_r^2, p = 1 / (1 - n^2) and i = t^2 / 12. The formula of sheets is
 * up to a tenth less where the wave is as long as the body is thick, which
 * would be a third more elements. */
static double solid_wavelength_m(double thickness_m, double poisson_ratio,
                                 double lambda) {
    double n = poisson_ratio, w2 = lambda;
    if (!(w2 > 0) || isinf(w2)) return w2 > 0 ? 0 : INFINITY;
    double g = surface_speed(n) * surface_speed(n);
    double p = 1 / (1 - n * n), i = thickness_m * thickness_m / 12;
    /* a k^4 + b k^2 + c = 0 */
    double a = g * p * i, b = -w2 * i * (p + g), c = w2 * (w2 * i - g);
    return SB_TAU / sqrt((-b + sqrt(b * b - 4 * a * c)) / (2 * a));
}

double sb_need_wavelength_m(double thickness_m, double poisson_ratio,
                            double lambda) {
    double n = poisson_ratio, w = sqrt(lambda);
    if (!(w > 0) || isinf(w)) return w > 0 ? 0 : INFINITY;
    double surface = surface_speed(n);
    double bending_squared = w * thickness_m / sqrt(12 * (1 - n * n));
    double velocity = 1 / sqrt(1 / bending_squared + 1 / (surface * surface));
    return SB_TAU * velocity / w;
}

static double longest_squared(const sb_vec3 *nodes, const int *corners,
                              int count) {
    double longest = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            sb_vec3 edge = sb_vec3_sub(nodes[corners[i]], nodes[corners[j]]);
            longest = fmax(longest, sb_vec3_dot(edge, edge));
        }
    }
    return longest;
}

/* The longest side of the cell that a tetrahedron was cut from, squared. Its
 * longest edge is the diagonal of the cell: sqrt(3) sides of a cube, sqrt(2) of
 * a flat cell and one of a needle; area and volume tell these apart. Regular
 * tetrahedra count as the cube of six times their volume. */
static double cell_squared(const sb_vec3 *nodes, const int *corners) {
    double longest = longest_squared(nodes, corners, 4), area = 0;
    sb_vec3 from = nodes[corners[0]], sides[3];
    for (int i = 0; i < 3; i++)
        sides[i] = sb_vec3_sub(nodes[corners[i + 1]], from);
    for (int i = 0; i < 3; i++) {
        sb_vec3 face = sb_vec3_cross(sides[i], sides[(i + 1) % 3]);
        area = fmax(area, sb_vec3_length(face));
    }
    sb_vec3 across = sb_vec3_span(sides[0], sides[1], sides[2]);
    area = fmax(area, sb_vec3_length(across));
    double volume =
        fabs(sb_vec3_dot(sides[0], sb_vec3_cross(sides[1], sides[2])));
    double cube = longest / 3 * sqrt(longest / 3);
    double dimensions =
        1 + fmin(1, 2 * area / longest) + fmin(1, volume / cube);
    double side = cbrt(volume);
    return fmax(longest / dimensions, side * side);
}

static double edge_of(const sb_discrete *discrete) {
    int elements = sb_discrete_element_count(discrete);
    double sum = 0;
    bool is_sheet = discrete->thickness_m > 0;
    for (int i = 0; i < elements; i++) {
        int count;
        const int *nodes = sb_discrete_element(discrete, i, &count);
        sum += is_sheet ? longest_squared(discrete->nodes, nodes, 3)
                        : cell_squared(discrete->nodes, nodes);
    }
    return sqrt(sum / elements);
}

double sb_need_least(sb_method method) {
    return method == SB_METHOD_SOLID ? 5 : 8; /* quadratic, linear */
}

/* Theory gives 4 for quadratic tetrahedra on smooth bodies, and less at edges
 * and corners that point inward; bars, plates, boxes and a tuning fork show 3.2
 * to 3.9. */
double sb_need_order(sb_method method) {
    return method == SB_METHOD_SOLID ? 3.5 : 2;
}

/* --- one solve ------------------------------------------------------------ */

typedef sb_attempt solving;

/* Memory besides that of the eigenproblem: the program, and per node and
 * element of the mesh and its skin. */
#define BASE_BYTES    20e6
#define NODE_BYTES    120.0
#define ELEMENT_BYTES 80.0

/* Solids of n unknowns take 330 n^(4/3) bytes if they are compact, and less if
 * they are thin: what is far over the limit is refused before it is assembled.
 */
#define LEAST_BYTES 200.0

static bool report(const solving *self, const char *stage) {
    const sb_solve_def *def = self->def;
    return !def->progress || def->progress(def->context, stage, 0, 0);
}

static int64_t peak_bytes(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage)) return 0;
    return (int64_t)usage.ru_maxrss * 1024;
}

/* --- mass and inertia ------------------------------------ */

static sb_moments moments_of(const solving *self) {
    const sb_fem *fem = &self->fem;
    sb_moments sum = {0};
    for (int i = 0; i < fem->face_count; i++) {
        sb_vec3 corners[3] = {fem->nodes[fem->faces[i][0]],
                              fem->nodes[fem->faces[i][1]],
                              fem->nodes[fem->faces[i][2]]};
        sb_moments_add(&sum, corners, self->discrete.thickness_m);
    }
    return sum;
}

static void set_mass(const solving *self, sb_solution_facts *facts) {
    sb_moments sum = moments_of(self);
    /* The mass of the elements; the skin of curved ones encloses a little
     * less. */
    double scale = self->fem.mass_kg / sum.volume;
    facts->volume_m3 = self->fem.mass_kg;
    sb_moments_inertia(&sum, scale, &facts->centre_m, facts->inertia_m5);
}

/* --- the skin as a solution ----------------------------------------------- */

/* Arrays of a solution that are still being filled. */
typedef struct skin {
    int vertex_count;
    int *node_of; /* node of each vertex */
    int *vertex_of;
    float (*vertices)[3];
    int32_t (*faces)[3];
    float (*uvs)[3][2];
    double *lambdas;
    float *shapes;
} skin;

static void free_skin(skin *self) {
    sb_free_all(self->node_of, self->vertex_of, self->vertices, self->faces,
                self->uvs, self->lambdas, self->shapes);
}

static bool number_vertices(const sb_fem *fem, skin *self) {
    self->vertex_of = sb_alloc((size_t)fem->node_count, sizeof(int));
    self->node_of = sb_alloc((size_t)fem->node_count, sizeof(int));
    self->faces = sb_alloc((size_t)fem->face_count, sizeof *self->faces);
    if (!self->vertex_of || !self->node_of || !self->faces) return false;
    for (int i = 0; i < fem->face_count; i++) {
        for (int c = 0; c < 3; c++)
            self->vertex_of[fem->faces[i][c]] = 1;
    }
    for (int i = 0; i < fem->node_count; i++) {
        if (!self->vertex_of[i]) continue;
        self->vertex_of[i] = self->vertex_count;
        self->node_of[self->vertex_count++] = i;
    }
    for (int i = 0; i < fem->face_count; i++) {
        for (int c = 0; c < 3; c++)
            self->faces[i][c] = self->vertex_of[fem->faces[i][c]];
    }
    return true;
}

/* Mode k of the vertices from v to `end`, which are near to each other. */
static void fill_shape(const solving *self, const double *x, int k, int count,
                       int v, int end, skin *to) {
    for (; v < end; v++) {
        const int *dofs = self->fem.dofs[to->node_of[v]];
        float *shape = to->shapes + 3 * ((size_t)v * (size_t)count + (size_t)k);
        for (int c = 0; c < 3; c++)
            shape[c] = dofs[c] >= 0 ? (float)x[dofs[c]] : 0.0f;
    }
}

static sb_status fill_shapes(const solving *self, int first, int count,
                             skin *to, sb_error *err) {
    enum { TILE = 64 }; /* vertices whose shapes stay in the cache */
    size_t n = (size_t)self->modes.n;
    sb_status status = SB_OK;
    for (int v = 0; v < to->vertex_count; v++) {
        sb_vec3 at = self->fem.nodes[to->node_of[v]];
        to->vertices[v][0] = (float)at.x;
        to->vertices[v][1] = (float)at.y;
        to->vertices[v][2] = (float)at.z;
    }
    for (int v = 0; !status && v < to->vertex_count; v += TILE) {
        int left = to->vertex_count - v;
        for (int k = 0; k < count; k++) {
            fill_shape(self, self->modes.vectors + (size_t)(first + k) * n, k,
                       count, v, v + (left < TILE ? left : TILE), to);
        }
        status = sb_stop_check(err);
    }
    return status;
}

static sb_status make_skin(const solving *self, int count, skin *out,
                           sb_error *err) {
    const sb_fem *fem = &self->fem;
    bool is_made = number_vertices(fem, out);
    size_t vertices = (size_t)out->vertex_count;
    if (is_made) {
        out->vertices = sb_alloc(vertices, sizeof *out->vertices);
        out->lambdas = sb_alloc((size_t)count, sizeof *out->lambdas);
        out->shapes =
            sb_alloc(vertices * 3, (size_t)count * sizeof *out->shapes);
    }
    if (!is_made || !out->vertices || !out->lambdas || !out->shapes) {
        return sb_fail(err, SB_NO_MEMORY,
                       "mesh: out of memory for %d modes on %d vertices", count,
                       out->vertex_count);
    }
    memcpy(out->lambdas, self->modes.values + self->zeros,
           (size_t)count * sizeof *out->lambdas);
    sb_status status = fill_shapes(self, self->zeros, count, out, err);
    if (status) return status;
    return sb_skin_uv(self->def->shape,
                      self->discrete.thickness_m > 0 ? &self->discrete.sheet
                                                     : NULL,
                      fem, &out->uvs, err);
}

static double area_of(const sb_fem *fem) {
    double area = 0;
    for (int i = 0; i < fem->face_count; i++) {
        sb_vec3 a = fem->nodes[fem->faces[i][0]];
        sb_vec3 ab = sb_vec3_sub(fem->nodes[fem->faces[i][1]], a);
        sb_vec3 ac = sb_vec3_sub(fem->nodes[fem->faces[i][2]], a);
        area += 0.5 * sb_vec3_length(sb_vec3_cross(ab, ac));
    }
    return area;
}

/* A closed shell radiates from its outside only. */
static bool is_open_sheet(const solving *self) {
    const sb_shape *shape = self->def->shape;
    if (self->discrete.thickness_m == 0) return false;
    const sb_shape_family *family = sb_shape_family_of(shape);
    if (!shape->mesh && family->is_closed) return !family->is_closed(shape);
    return !shape->mesh || !sb_mesh_source_report(shape->mesh)->is_closed;
}

static sb_solution_facts facts_of(const solving *self, int count) {
    const sb_eigen_result *modes = &self->modes;
    sb_solution_facts facts = {
        .poisson_ratio = self->def->poisson_ratio,
        .thickness_m = self->discrete.thickness_m,
        .area_m2 = area_of(&self->fem),
        .lambda_bound = self->def->max_lambda,
        .seconds = sb_clock_s() - self->began_s,
        .method = (int32_t)self->discrete.method,
        .is_held = self->discrete.holds != NULL,
        .rigid_count = self->zeros,
        .is_sheet = is_open_sheet(self),
        .is_lumped = self->discrete.is_lumped,
        .element_count = self->fem.element_count,
        .dof_count = self->fem.dof_count,
        .peak_bytes = peak_bytes(),
    };
    if (facts.is_sheet) facts.area_m2 *= 2;
    /* If max_modes ended the search, it is complete up to the last mode. */
    if (count == self->def->max_modes) {
        facts.lambda_bound = modes->values[self->zeros + count - 1];
    }
    set_mass(self, &facts);
    return facts;
}

/* Frequencies of solids are compared with those of larger elements, which are
 * too stiff, and lowered. */
static bool is_lowered(const solving *self) {
    return self->discrete.method == SB_METHOD_SOLID &&
           sb_discrete_is_free(self->def->shape);
}

/* The same modes lie higher with larger elements: these are looked for so much
 * higher, and so many more. */
#define HIGHER 1.06

static double searched(const solving *self) {
    double factor = is_lowered(self) ? HIGHER : 1;
    return self->def->max_lambda * factor * factor;
}

static int searched_count(const solving *self) {
    int most = self->def->max_modes;
    return is_lowered(self) ? most + 8 + most / 16 : most;
}

/* Modes that will be below the bound are kept, too. */
static int kept_count(const solving *self) {
    double factor = is_lowered(self) ? 1 / (1 - SB_SOLVE_EXTRAPOLATED) : 1;
    double bound = self->def->max_lambda * factor * factor;
    int count = self->modes.count - self->zeros;
    if (count > self->def->max_modes) count = self->def->max_modes;
    while (count > 0 && self->modes.values[self->zeros + count - 1] > bound)
        count--;
    return count;
}

sb_status sb_attempt_keep(const sb_attempt *self, sb_solution **out,
                          sb_error *err) {
    int count = kept_count(self);
    skin made = {0};
    sb_status status = make_skin(self, count, &made, err);
    if (!status) status = sb_stop_check(err);
    if (!status) {
        sb_solution parts = {
            .facts = facts_of(self, count),
            .vertex_count = made.vertex_count,
            .face_count = self->fem.face_count,
            .mode_count = count,
            .vertices = (const float(*)[3])made.vertices,
            .faces = (const int32_t(*)[3])made.faces,
            .uvs = (const float(*)[3][2])made.uvs,
            .lambdas = made.lambdas,
            .shapes = made.shapes,
        };
        status = sb_solution_create(&parts, out, err);
    }
    free_skin(&made);
    return status;
}

/* --- modes ---------------------------------------------------------------- */

static sb_status check_zeros(solving *self, sb_error *err) {
    const sb_eigen_result *modes = &self->modes;
    self->zeros = sb_rigid_found(modes->values, modes->count, self->expected);
    if (self->zeros > self->expected &&
        self->discrete.method != SB_METHOD_SPRINGS_LITERAL) {
        return sb_rigid_blame(&self->discrete, &self->fem, modes, self->zeros,
                              self->expected, err);
    }
    if (kept_count(self) == 0) {
        return sb_fail(err, SB_NO_MODES, "no mode lies below the bound of %g",
                       self->def->max_lambda);
    }
    return SB_OK;
}

static double memory_of(const solving *self) {
    double memory = self->def->memory_bytes;
    return memory > 0 ? memory : SB_SOLVE_MEMORY;
}

static sb_eigen_def eigen_def_of(const solving *self) {
    /* Springs without bending have as many mechanisms as vertices: Lanczos
     * takes minutes for them and LAPACK seconds. */
    bool is_literal = self->discrete.method == SB_METHOD_SPRINGS_LITERAL;
    int most = self->def->max_modes;
    int mechanisms = is_literal ? self->fem.dof_count : 0;
    double nodes = self->fem.node_count, elements = self->fem.element_count;
    sb_eigen_def def = {
        .k = &self->fem.k,
        .m = &self->fem.m,
        .max_value = searched(self),
        .max_count = self->expected + searched_count(self) + mechanisms,
        .guess = self->expected + (self->guess < most ? self->guess : most),
        .memory_bytes = memory_of(self),
        .held_bytes =
            BASE_BYTES + NODE_BYTES * nodes + ELEMENT_BYTES * elements,
        .method = is_literal ? SB_EIGEN_DENSE : SB_EIGEN_AUTO,
        .progress = self->def->progress,
        .context = self->def->context,
    };
    if (def.max_count > self->fem.dof_count)
        def.max_count = self->fem.dof_count;
    return def;
}

static sb_status find_modes(solving *self, sb_error *err) {
    sb_eigen_def def = eigen_def_of(self);
    return sb_eigen_sparse(&def, &self->modes, err);
}

sb_status sb_attempt_cost(const sb_attempt *self, sb_eigen_cost *out,
                          sb_error *err) {
    sb_eigen_def def = eigen_def_of(self);
    return sb_eigen_estimate(&def, def.guess, out, err);
}

/* --- all of it ------------------------------------------------------------ */

/* The least extent along an axis: shapes lie along them. */
static double least_extent(const solving *self) {
    sb_vec3 low = self->fem.nodes[0], high = low;
    for (int i = 0; i < self->fem.node_count; i++) {
        sb_vec3 at = self->fem.nodes[i];
        low =
            (sb_vec3){fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z)};
        high = (sb_vec3){fmax(high.x, at.x), fmax(high.y, at.y),
                         fmax(high.z, at.z)};
    }
    sb_vec3 size = sb_vec3_sub(high, low);
    return fmin(size.x, fmin(size.y, size.z));
}

/* The shortest wave up to an eigenvalue. A mesh of volume V and surface A
 * counts as a sheet of thickness 2 V / A, which is right for a thin one and too
 * little for a compact one; shapes have their least extent. `area` receives
 * half the surface of a solid, or one side of a sheet. */
static double wave_of(const solving *self, double lambda, double *area) {
    double thickness = self->discrete.thickness_m;
    double n = self->def->poisson_ratio, surface_m2 = area_of(&self->fem);
    *area = thickness > 0 ? surface_m2 : 0.5 * surface_m2;
    if (thickness > 0) return sb_need_wavelength_m(thickness, n, lambda);
    if (!self->def->shape->mesh) thickness = least_extent(self);
    if (thickness == 0) thickness = 2 * self->fem.mass_kg / surface_m2;
    return solid_wavelength_m(thickness, n, lambda);
}

double sb_attempt_per_wave(const sb_attempt *self, double lambda) {
    double area;
    return wave_of(self, lambda, &area) / self->edge_m;
}

/* About how many modes there are: those of a plate in bending and more. */
static int guess_count(const solving *self) {
    double area, wave = wave_of(self, self->def->max_lambda, &area);
    double k = SB_TAU / wave;
    double count = 10 + MORE * k * k * area / (2 * SB_TAU);
    return (int)fmin(count, 1e6);
}

static sb_status check_size(const solving *self, sb_error *err) {
    double unknowns = 3.0 * self->discrete.node_count;
    double bytes = LEAST_BYTES * pow(unknowns, 4.0 / 3.0);
    if (self->discrete.thickness_m > 0 || bytes <= memory_of(self))
        return SB_OK;
    return sb_fail(err, SB_NO_MEMORY,
                   "%.0f unknowns need about %.3g GB of memory, more than the "
                   "%.3g GB allowed",
                   unknowns, 1.65 * bytes / 1e9, memory_of(self) / 1e9);
}

/* Cuts the shape up; a mesh with far more vertices than needed is thinned. */
static sb_status cut(solving *self, sb_error *err) {
    const sb_solve_def *def = self->def;
    sb_thinned_def thin = {.shape = def->shape,
                           .poisson_ratio = def->poisson_ratio,
                           .max_lambda = def->max_lambda,
                           .max_modes = def->max_modes,
                           .progress = def->progress,
                           .context = def->context};
    sb_mesh_source *thinned;
    sb_status status = sb_thinned_make(&thin, &thinned, err);
    if (status) return status;
    sb_shape shape = *def->shape;
    if (thinned) shape.mesh = thinned;
    status = sb_discrete_make_in(&shape, self->grain, &self->discrete, err);
    sb_mesh_source_release(thinned);
    return status;
}

sb_status sb_attempt_prepare(sb_attempt *self, const sb_solve_def *def,
                             sb_grain grain, sb_error *err) {
    static const char stopped[] = "interrupted while solving";
    *self = (sb_attempt){.def = def, .grain = grain, .began_s = sb_clock_s()};
    if (!report(self, "mesh"))
        return sb_fail(err, SB_INTERRUPTED, "%s", stopped);
    sb_status status = cut(self, err);
    if (status) return status;
    status = check_size(self, err);
    if (status) return status;
    if (!report(self, "assembly")) {
        return sb_fail(err, SB_INTERRUPTED, "%s", stopped);
    }
    status = sb_hanging_check(&self->discrete, err);
    if (!status) {
        status = sb_rigid_expected(&self->discrete, &self->expected, err);
    }
    if (!status) {
        status = sb_discrete_assemble(&self->discrete, def->poisson_ratio,
                                      &self->fem, err);
    }
    if (status) return status;
    self->edge_m = edge_of(&self->discrete);
    self->guess = guess_count(self);
    return SB_OK;
}

sb_status sb_attempt_solve(sb_attempt *self, sb_error *err) {
    sb_status status = find_modes(self, err);
    if (!status) status = sb_stop_check(err);
    if (!status) status = check_zeros(self, err);
    return status ? status : sb_stop_check(err);
}

void sb_attempt_free(sb_attempt *self) {
    sb_eigen_result_free(&self->modes);
    sb_fem_free(&self->fem);
    sb_discrete_free(&self->discrete);
}
