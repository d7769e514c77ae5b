/* The centre of a body as a mean over its surface nodes. The weights w are
 * proportional to m (1 + g . (x - mean)), with g such that they give the centre
 * of mass at rest; a mean with constant weights moves as the body does. Thread:
 * as deform.h. */
#include "runtime/deform/deform_state.h"

#include "runtime/base/memory.h"

static sb_vec3 mean_of(const sb_deform *deform, const deform_body *body,
                       int count) {
    sb_vec3 sum = {0, 0, 0};
    double mass = 0;
    for (int i = 0; i < count; i++) {
        int node = body->node_first + i;
        mass += deform->mass[node];
        sum = sb_vec3_add(sum, sb_vec3_scale(row_vec3(deform->rest, node),
                                             deform->mass[node]));
    }
    return sb_vec3_scale(sum, 1 / mass);
}

/* Solves M g = b for the mean M of (x - mean)(x - mean)'. */
static sb_vec3 slope_of(const sb_deform *deform, const deform_body *body,
                        sb_vec3 mean, sb_vec3 b) {
    sb_vec3 rows[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double mass = 0;
    for (int i = 0; i < body->surface_count; i++) {
        int node = body->node_first + i;
        sb_vec3 x = sb_vec3_sub(row_vec3(deform->rest, node), mean);
        double m = deform->mass[node];
        mass += m;
        rows[0] = sb_vec3_add(rows[0], sb_vec3_scale(x, m * x.x));
        rows[1] = sb_vec3_add(rows[1], sb_vec3_scale(x, m * x.y));
        rows[2] = sb_vec3_add(rows[2], sb_vec3_scale(x, m * x.z));
    }
    sb_vec3 across[3] = {sb_vec3_cross(rows[1], rows[2]),
                         sb_vec3_cross(rows[2], rows[0]),
                         sb_vec3_cross(rows[0], rows[1])};
    double by = mass / sb_vec3_dot(rows[0], across[0]);
    return sb_vec3_add(sb_vec3_scale(across[0], b.x * by),
                       sb_vec3_add(sb_vec3_scale(across[1], b.y * by),
                                   sb_vec3_scale(across[2], b.z * by)));
}

static void weigh(sb_deform *deform, const deform_body *body) {
    int count = body->surface_count;
    double sum = 0;
    sb_vec3 mean = mean_of(deform, body, count), slope = {0, 0, 0};
    if (body->real_count > count) {
        sb_vec3 centre = mean_of(deform, body, body->real_count);
        slope = slope_of(deform, body, mean, sb_vec3_sub(centre, mean));
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            int node = body->node_first + i;
            sb_vec3 x = sb_vec3_sub(row_vec3(deform->rest, node), mean);
            double weight = deform->mass[node] * (1 + sb_vec3_dot(slope, x));
            if (pass == 0)
                sum += weight;
            else
                deform->centre_weights[node] = weight / sum;
        }
    }
}

sb_status deform_centre_make(sb_deform *deform, sb_error *err) {
    deform->centre_weights =
        sb_alloc((size_t)deform->node_count, sizeof *deform->centre_weights);
    if (!deform->centre_weights)
        return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    for (int b = 0; b < deform->body_count; b++) {
        weigh(deform, &deform->bodies[b]);
    }
    return SB_OK;
}

sb_vec3 deform_centre_in(const sb_deform *deform, int body,
                         const double *rows) {
    const deform_body *own = &deform->bodies[body];
    sb_vec3 sum = {0, 0, 0};
    for (int i = 0; i < own->surface_count; i++) {
        double weight = deform->centre_weights[own->node_first + i];
        sum = sb_vec3_add(sum, sb_vec3_scale(row_vec3(rows, i), weight));
    }
    return sum;
}

sb_vec3 sb_deform_centre(const sb_deform *deform, int body,
                         sb_vec3 *velocity_m_s) {
    size_t first = 4 * (size_t)deform->bodies[body].node_first;
    if (velocity_m_s)
        *velocity_m_s =
            deform_centre_in(deform, body, deform->velocities + first);
    return deform_centre_in(deform, body, deform->positions + first);
}
