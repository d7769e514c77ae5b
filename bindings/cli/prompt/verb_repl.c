/* bindings/cli/prompt/verb_repl.c -- a scene to talk to, or an empty one to
 * fill. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/prompt/prompt.h"

int repl_main(int argc, char **argv) {
    return play_scene(&verb_repl, argc, argv);
}
