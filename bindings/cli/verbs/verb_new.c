/* SPDX-License-Identifier: MIT */
/* bindings/cli/verbs/verb_new.c -- sandbell new: creates a folder with a first
 * scene and settings for editors.
 * Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/reference/reference.h"
#include "runtime/base/out_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const option_row new_rows[] = {
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

static const char scene_text[] =
    "-- A first scene. Play it:   sandbell run scene.lua\n"
    "-- Into a file with picture: sandbell render scene.lua -o scene.wav "
    "--spectrogram scene.png\n"
    "local sb = require \"sandbell\"\n"
    "\n"
    "sb.listener { position = { 0, 0.4, 0.8 }, facing = { 0, -0.4, -0.8 } }\n"
    "\n"
    "local bar = sb.body(\"bar\", {\n"
    "  shape    = sb.bar { length = 0.3, width = 0.04, thickness = 0.01 },\n"
    "  material = \"aluminium\",\n"
    "})\n"
    "\n"
    "function scene.start()\n"
    "  sb.go(function()\n"
    "    for _, u in ipairs { 0.5, 0.35, 0.2, 0.05 } do\n"
    "      bar:strike { at = { u = u, v = 0.5 }, speed = 1, mass = 0.02, "
    "hardness = 1e6 }\n"
    "      sb.sleep(0.7)\n"
    "    end\n"
    "  end)\n"
    "end\n";

/* The stubs are copied into the folder, so that it can be moved. */
static const char luarc_text[] = "{\n"
                                 "  \"runtime.version\": \"Lua 5.4\",\n"
                                 "  \"workspace.library\": [\".sandbell\"]\n"
                                 "}\n";

static const char luacheck_text[] =
    "std = \"lua54\"\n"
    "globals = { \"scene\", \"state\", \"truth\" }\n"
    "unused_args = false -- scene.update(dt) shows what it is given\n"
    "exclude_files = { \".sandbell\" }\n";

static sb_status write_text(const char *folder, const char *name,
                            const char *text, sb_error *err) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (access(path, F_OK) == 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s already exists and was left unchanged", path);
    }
    return sb_out_file_put(path, text, strlen(text), err);
}

/* Write .sandbell/sandbell.d.lua, which editors read. */
static sb_status write_stubs(const char *folder, sb_error *err) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return sb_no_memory(err, "new");
    api_print_stubs(stream);
    sb_status status =
        fclose(stream)
            ? sb_no_memory(err, "new")
            : write_text(folder, ".sandbell/sandbell.d.lua", text, err);
    free(text); /* allocated by open_memstream */
    return status;
}

static sb_status make_folder(const char *folder, sb_error *err) {
    if (mkdir(folder, 0777) && errno != EEXIST) {
        return sb_fail(err, SB_IO_ERROR, "%.400s: cannot be made: %s", folder,
                       strerror(errno));
    }
    return SB_OK;
}

static sb_status write_all(const char *folder, sb_error *err) {
    char hidden[4096];
    (void)snprintf(hidden, sizeof hidden, "%s/.sandbell", folder);
    sb_status status = make_folder(folder, err);
    if (!status) status = write_text(folder, "scene.lua", scene_text, err);
    if (!status) status = make_folder(hidden, err);
    if (!status) status = write_stubs(folder, err);
    if (!status) status = write_text(folder, ".luarc.json", luarc_text, err);
    if (!status) status = write_text(folder, ".luacheckrc", luacheck_text, err);
    return status;
}

static bool is_program(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) &&
           access(path, X_OK) == 0;
}

/* Is `path` the program that the shell finds as sandbell? */
static bool is_on_path(const char *path) {
    const char *folders = getenv("PATH");
    struct stat own, found;
    if (!folders || stat(path, &own)) return false;
    while (*folders) {
        char candidate[4096];
        size_t length = strcspn(folders, ":");
        (void)snprintf(candidate, sizeof candidate, "%.*s/sandbell",
                       (int)length, folders);
        if (is_program(candidate)) {
            return stat(candidate, &found) == 0 && found.st_ino == own.st_ino &&
                   found.st_dev == own.st_dev;
        }
        folders += length;
        folders += *folders == ':';
    }
    return false;
}

/* How to call this program again: by its name if it is installed, by the
 * launcher of the checkout if that is here, else by its path. */
static void name_program(char *out, size_t size) {
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length > 0) own[length] = '\0';
    if (length <= 0 || is_on_path(own)) {
        (void)snprintf(out, size, "sandbell");
    } else if (is_program("./sandbell")) {
        (void)snprintf(out, size, "./sandbell");
    } else {
        (void)snprintf(out, size, "%s", own);
    }
}

int new_main(int argc, char **argv) {
    const char *folder;
    sb_error err;
    char nothing;
    if (!parse_options(&verb_new, argc, argv, &nothing, &folder, 1, 1))
        return EXIT_USAGE;
    if (write_all(folder, &err)) return fail_with(&err);
    char program[4096];
    results_are_files();
    name_program(program, sizeof program);
    (void)printf("%s/scene.lua is a first scene; play it with\n"
                 "  %s run %s/scene.lua\n",
                 folder, program, folder);
    return EXIT_OK;
}
