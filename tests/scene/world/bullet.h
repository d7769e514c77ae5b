/* SPDX-License-Identifier: MIT */
/* tests/scene/world/bullet.h -- as much of Bullet, an engine of games, as a test
 * in C needs. Numbers are Bullet's own floats. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bullet bullet;

typedef struct bullet_body {
    double mass_kg; /* 0: fixed */
    double radius;  /* of a ball; 0: a box */
    double half[3]; /* its half sides */
    double position[3], velocity[3], spin[3];
    double restitution, friction; /* of a pair: the products */
} bullet_body;

typedef struct bullet_point {
    int body[2];                /* in the order of bullet_add, from 0 */
    double point[3], normal[3]; /* from the second into the first */
    double impulse_ns;
} bullet_point;

typedef struct bullet_pose {
    double position[3], rotation[4]; /* w first */
    double velocity[3], spin[3];
} bullet_pose;

bullet *bullet_new(double gravity_m_s2); /* downward, along y */
void bullet_free(bullet *b);
int bullet_add(bullet *b, const bullet_body *def);
void bullet_step(bullet *b, double step_s);
bullet_pose bullet_pose_of(const bullet *b, int body);
/* Of the last step; returns their number. */
int bullet_points(const bullet *b, bullet_point *out, int most);

#ifdef __cplusplus
}
#endif
