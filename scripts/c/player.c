/* SPDX-License-Identifier: MIT */
/* Plays a scene on the sound card until it is over, and prints what is struck.
 *
 *     cc player.c -o player $(pkg-config --cflags --libs sandbell)
 *     ./player marimba.lua
 */
#include <sandbell.h>

#include <stdio.h>
#include <time.h>

static void print(void *user, const char *line, bool is_print) {
    (void)user;
    fprintf(is_print ? stdout : stderr, "%s\n", line);
}

int main(int argc, char **argv) {
    sandbell_scene_def def = sandbell_scene_def_default();
    sandbell_play_def play = sandbell_play_def_default();
    sandbell_event event = sandbell_event_default();
    sandbell_scene *scene;
    sandbell_error err;
    char name[SANDBELL_NAME_SIZE];
    def.control = SANDBELL_CONTROL_THREAD; /* the library runs the scene */
    def.is_live = true;
    def.log = print;
    play.backend = argc > 2 ? argv[2] : NULL; /* "null": no sound card */
    if (argc < 2) return fprintf(stderr, "usage: player SCENE.lua\n"), 2;
    if (sandbell_scene_open(argv[1], &def, &scene, &err) ||
        sandbell_play(scene, &play, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    /* A second more than it is busy: the last strike rings. */
    for (int rest = 0; rest < 100;
         rest = sandbell_is_busy(scene) ? 0 : rest + 1) {
        while (sandbell_next_event(scene, &event))
            if (!sandbell_body_name(scene, event.a, name))
                printf("%7.3f s  %-16s %.2f m/s, %.4f N s\n",
                       (double)event.frame / sandbell_rate(scene), name,
                       event.speed_m_s, event.impulse_ns);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    sandbell_scene_close(scene);
    return 0;
}
