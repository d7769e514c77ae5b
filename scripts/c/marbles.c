/* SPDX-License-Identifier: MIT */
/* Three marbles that your own physics drops on a steel plate, as a sound file.
 *
 *     cc marbles.c -o marbles $(pkg-config --cflags --libs sandbell) -lm
 *     ./marbles marbles.wav
 *
 * The physics here is three falling points that bounce. Yours has contact points
 * with a closing speed and an impulse: fill in the same fields.
 */
#include <sandbell.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000, STEPS_PER_S = 240, STEPS = 3 * STEPS_PER_S, MARBLES = 3 };

typedef struct marble {
    sandbell_body body;
    double x, y, vy, radius, mass;
} marble;

static sandbell_scene *scene;
static sandbell_error err;

/* Every call that fails has one sentence about it in `err`. */
static void must(int status) {
    if (!status) return;
    fprintf(stderr, "%s\n", err.text);
    exit(1);
}

static sandbell_body add_plate(void) {
    sandbell_body_def def = sandbell_body_def_default();
    sandbell_body plate;
    def.name = "plate";
    def.shape = "plate";
    def.width = 0.4;
    def.depth = 0.3;
    def.thickness = 0.003;
    def.material = "steel";
    must(sandbell_body_add(scene, &def, SANDBELL_NOW, &plate, &err));
    return plate;
}

static marble add_marble(const char *name, double x, double y, double radius) {
    marble self = {.x = x, .y = y, .radius = radius};
    sandbell_body_def def = sandbell_body_def_default();
    def.name = name;
    def.shape = "sphere";
    def.radius = radius;
    def.material = "glass";
    def.motion = SANDBELL_FREE; /* moved by sandbell_physics_step */
    def.position = (sandbell_vec3){x, y, 0};
    self.mass = 2500 * 4.18879 * radius * radius * radius;
    must(sandbell_body_add(scene, &def, SANDBELL_NOW, &self.body, &err));
    return self;
}

/* One step of the physics: true if it touched the plate, with the contact. */
static bool fall(marble *self, double step_s, sandbell_body plate,
                 sandbell_point *point) {
    const double bounce = 0.7, top = 0.0015;
    self->vy -= 9.81 * step_s;
    double down = -self->vy;
    bool touches = self->y + self->vy * step_s < top + self->radius && down > 0;
    if (touches) {
        /* Slower than a few steps of gravity is lying still. */
        self->vy = down > 3 * 9.81 * step_s ? bounce * down : 0;
        *point = sandbell_point_default();
        point->a = self->body;
        point->b = plate;
        point->point = (sandbell_vec3){self->x, top, 0};
        point->normal = (sandbell_vec3){0, 1, 0};
        point->closing_m_s = down - 9.81 * step_s; /* before the step */
        point->impulse_ns = self->mass * (self->vy + down);
    }
    self->y = fmax(self->y + self->vy * step_s, top + self->radius);
    return touches;
}

static void put(unsigned char *at, unsigned value, int bytes) {
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

/* A WAV file of 32-bit float samples. */
static int save(const char *path, const float *stereo, unsigned frames) {
    unsigned char head[44] = "RIFF....WAVEfmt ....................data";
    put(head + 4, 36 + 8 * frames, 4);
    put(head + 16, 16, 4);
    put(head + 20, 3, 2); /* float */
    put(head + 22, 2, 2);
    put(head + 24, RATE, 4);
    put(head + 28, 8 * RATE, 4);
    put(head + 32, 8, 2);
    put(head + 34, 32, 2);
    put(head + 40, 8 * frames, 4);
    FILE *file = fopen(path, "wb");
    if (!file) return 1;
    size_t wrote = fwrite(head, sizeof head, 1, file);
    wrote += fwrite(stereo, 8, frames, file);
    return fclose(file) || wrote != frames + 1;
}

int main(int argc, char **argv) {
    static float stereo[2 * RATE * 3];
    const int per_step = RATE / STEPS_PER_S;
    sandbell_scene_def def = sandbell_scene_def_default();
    def.rate_hz = RATE;
    def.has_physics = true; /* nothing moves but by our steps */
    must(sandbell_scene_create(&def, &scene, &err));
    sandbell_body plate = add_plate();
    marble marbles[MARBLES] = {add_marble("small", -0.12, 0.15, 0.006),
                               add_marble("middle", 0.03, 0.25, 0.008),
                               add_marble("large", 0.11, 0.35, 0.010)};
    int done = 0;
    for (int i = 0; i < STEPS; i++) {
        sandbell_step step = sandbell_step_default();
        sandbell_point points[MARBLES];
        sandbell_pose poses[MARBLES];
        step.frame = i * per_step;
        step.step_s = 1.0 / STEPS_PER_S;
        for (int k = 0; k < MARBLES; k++) {
            step.point_count += fall(&marbles[k], step.step_s, plate,
                                     &points[step.point_count]);
            poses[k] = sandbell_pose_default();
            poses[k].body = marbles[k].body;
            poses[k].position = (sandbell_vec3){marbles[k].x, marbles[k].y, 0};
            poses[k].velocity.y = marbles[k].vy;
        }
        step.points = points;
        step.poses = poses;
        step.pose_count = MARBLES;
        must(sandbell_physics_step(scene, &step, &err));
        must(sandbell_advance(scene, step.frame + per_step, &err));
        /* Sound is computed in blocks of 128 frames: stay one behind. */
        int count = i == 0 ? per_step - 128 : per_step;
        sandbell_render(scene, stereo + 2 * done, count);
        done += count;
    }
    sandbell_event event = sandbell_event_default();
    while (sandbell_next_event(scene, &event))
        if (event.kind == SANDBELL_EVENT_IMPACT)
            printf("%.3f s: %.2f m/s\n", (double)event.frame / RATE,
                   event.speed_m_s);
    sandbell_scene_close(scene);
    if (save(argc > 1 ? argv[1] : "marbles.wav", stereo, (unsigned)done)) {
        perror("marbles.wav");
        return 1;
    }
    return 0;
}
