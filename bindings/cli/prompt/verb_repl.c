/* bindings/cli/prompt/verb_repl.c -- a scene to talk to, or an empty one to fill. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/prompt/prompt.h"

static int run(int argc, char **argv) {
    return play_scene(&verb_repl, argc, argv);
}

const cli_verb verb_repl = {
    "repl",
    "[SCENE] [options]",
    "type Lua into a scene while it sounds",
    PROMPT_HELP "\n"
                "Without SCENE the scene is empty: make bodies "
                "with sb.body. Lines may come\nfrom a pipe or a "
                "file, too; then it ends when all has faded, or with --for.",
    play_options,
    run};
