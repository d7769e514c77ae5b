/* Refuses outputs that would overwrite each other or an input, and keeps the
 * standard streams apart from files.
 * Thread: control. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/pipe_out.h"
#include "bindings/host/host.h"
#include "bindings/script/script.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void hold_streams(void) {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) >= 0) continue;
        int mode = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        int held = open("/dev/null", mode); /* takes the lowest number */
        if (held >= 0 && held != stream) (void)close(held);
    }
}

static bool is_writable(int stream) {
    int flags = fcntl(stream, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

void results_are_files(void) {
    pipe_out_outlive_readers();
    if (is_writable(STDOUT_FILENO)) return;
    if (is_writable(STDERR_FILENO)) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        return;
    }
    (void)close(STDOUT_FILENO);
    (void)open("/dev/null", O_WRONLY); /* takes that number */
}

/* One spelling per file: links and `..` resolved. False if it is a device or a
 * pipe, which several outputs may share, or if its folder is missing. */
static bool resolve(const char *path, char out[PATH_MAX]) {
    char folder[PATH_MAX], real[PATH_MAX];
    struct stat info;
    if (strcmp(path, "-") == 0)
        return snprintf(out, PATH_MAX, "-") > 0; /* standard output */
    if (realpath(path, out))
        return stat(out, &info) == 0 && S_ISREG(info.st_mode);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    int length = slash == path ? 1 : (int)(slash ? slash - path : 0);
    if (snprintf(folder, sizeof folder, "%.*s", length, path) >= PATH_MAX)
        return false;
    if (!realpath(length ? folder : ".", real)) return false;
    return snprintf(out, PATH_MAX, "%s/%s", real, name) < PATH_MAX;
}

static bool is_same(const char *one, const char *two) {
    char first[PATH_MAX], second[PATH_MAX];
    return resolve(one, first) && resolve(two, second) &&
           strcmp(first, second) == 0;
}

static const char *value_of(const option_row *row, const void *def) {
    bool is_file = row->kind == OPTION_FILE || row->kind == OPTION_OUTPUT;
    const void *slot = (const char *)def + row->offset;
    return is_file ? *(const char *const *)slot : NULL;
}

bool is_output_separate(const cli_verb *verb, const void *def,
                        const char *input) {
    for (const option_row *row = verb->options; row->name; row++) {
        const char *path = value_of(row, def);
        if (!path || row->kind != OPTION_OUTPUT || !is_same(path, input))
            continue;
        (void)fprintf(stderr,
                      "sandbell %s: %s %s would overwrite %s, which is read\n",
                      verb->name, row->name, path, input);
        return false;
    }
    return true;
}

bool are_outputs_separate(const cli_verb *verb, const void *def) {
    for (const option_row *row = verb->options; row->name; row++) {
        const char *path = value_of(row, def);
        if (!path || row->kind != OPTION_OUTPUT) continue;
        for (const option_row *other = verb->options; other->name; other++) {
            const char *its = value_of(other, def);
            /* Each pair of outputs once. */
            bool is_second = other->kind == OPTION_OUTPUT && other <= row;
            if (!its || is_second || !is_same(path, its)) continue;
            (void)fprintf(stderr,
                          "sandbell %s: %s and %s name the same file, %s\n",
                          verb->name, row->name, other->name, its);
            return false;
        }
    }
    return true;
}

const char *option_that_names(const cli_verb *verb, const void *def,
                              const char *path) {
    for (const option_row *row = verb->options; row->name; row++) {
        const char *its = value_of(row, def);
        if (its && is_same(its, path)) return row->name;
    }
    return NULL;
}

bool is_scene_safe(const cli_verb *verb, const void *def, const sb_host *host) {
    const sb_script *script = sb_host_script(host);
    for (int i = 0; i < script_file_count(script); i++)
        if (!is_output_separate(verb, def, script_file(script, i)))
            return false;
    return true;
}
