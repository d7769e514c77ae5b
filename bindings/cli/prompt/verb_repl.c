/* bindings/cli/prompt/verb_repl.c -- sandbell repl: a prompt with a scene or an
 * empty one. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/prompt/prompt.h"

int repl_main(int argc, char **argv) {
    return play_scene(&verb_repl, argc, argv);
}
