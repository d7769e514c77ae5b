/* SPDX-License-Identifier: MIT */
/* Members of the team leave together, however late one of them is. */
#include "runtime/deform/contact/deform_touch.h"
#include "tests/deform/deform_fixture.h"

#include <pthread.h>
#include <sched.h>

void __real_sb_team_wait(sb_team *team);
void __wrap_sb_team_wait(sb_team *team);

/* Barriers of a step that applies damping by mass. */
enum { FIRST = 32, FAILS = 64, BARRIERS = 4 };

static pthread_t first_member;
static int passed; /* barriers, by the other member */

/* Member 1 leaves the last barrier of step FAILS - 1 only when member 0 waits
 * at the next one, after it has found the failure of step FAILS. */
void __wrap_sb_team_wait(sb_team *team) {
    __real_sb_team_wait(team);
    if (team->count == 1 || pthread_equal(pthread_self(), first_member)) return;
    if (++passed != BARRIERS * (FAILS - FIRST)) return;
    while (atomic_load(&team->waiting) == 0) {
        (void)sched_yield();
    }
}

START_TEST(a_late_member_leaves_with_the_others) {
    sb_mesh mesh = cells_mesh(0.1, 0.06, 3, 2);
    sb_deform_body_def bodies[2] = {sheet_body(&mesh, 1e-3, NULL),
                                    sheet_body(&mesh, 1e-3, NULL)};
    bodies[0].material.alpha = bodies[1].material.alpha = 1;
    bodies[1].position_m.y = 1.5e-3;
    sb_deform_def def = sb_deform_def_default();
    def.body_count = 2;
    def.bodies = bodies;
    def.bodies_touch = true;
    def.threads = 1;
    sb_deform *deform = create_all(&def);
    steps(deform, FIRST);
    first_member = pthread_self();
    deform->threads = 2;
    deform->pace.alone_s = INFINITY;
    deform->pace.team_s = 0;
    deform->brake.steps = 1;
    deform->touch->most = 0; /* of places that could touch, at the next check */
    ck_assert_int_eq(
        sb_deform_reach(deform, (FAILS + 8) * deform->step_s, NULL),
        SB_NO_CONVERGENCE);
    ck_assert_int_eq(deform->state->failure.status, SB_NO_CONVERGENCE);
    ck_assert_int_gt(passed, BARRIERS * (FAILS - FIRST));
    sb_deform_destroy(deform);
    sb_mesh_free(&mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_team");
    TCase *tests = tcase_create("team");
    tcase_add_test(tests, a_late_member_leaves_with_the_others);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
