/* Pictures of a lesson, drawn by the verbs render and modes. Thread: control. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/lesson/lesson_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Words of a command line: main functions take char *. */
static char word_body[] = "--body";
static char word_duration[] = "--duration";
static char word_plot[] = "--plot";
static char word_press[] = "--press";
static char word_rate[] = "--rate";
static char word_set[] = "--set";
static char word_spectrogram[] = "--spectrogram";
static char word_o[] = "-o";
static char word_3[] = "3";
static char word_6_5[] = "6.5";

enum { WORDS_MOST = 20 };

/* What the verbs print is not part of a lesson. Returns their exit code. */
static int run_quietly(int (*verb)(int argc, char **argv), int argc,
                       char **argv) {
    (void)fflush(stdout);
    (void)fflush(stderr);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int report = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    int code = EXIT_ASSET;
    if (nowhere >= 0 && out >= 0 && report >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
        code = verb(argc, argv);
        (void)fflush(stdout);
        (void)fflush(stderr);
        (void)dup2(out, STDOUT_FILENO);
        (void)dup2(report, STDERR_FILENO);
    }
    if (nowhere >= 0) (void)close(nowhere);
    if (out >= 0) (void)close(out);
    if (report >= 0) (void)close(report);
    return code;
}

static bool draw_sound(const lesson_files *lesson, char *action, char *png) {
    char wav[PATH_MAX + 8], rate[32], script[PATH_MAX];
    char *setting = strchr(action, ',');
    if (setting) *setting++ = '\0';
    (void)snprintf(wav, sizeof wav, "%s.wav", png);
    (void)snprintf(rate, sizeof rate, "%g",
                   lesson->rate_hz > 0.0 ? lesson->rate_hz : 48000.0);
    (void)snprintf(script, sizeof script, "%s", lesson->script);
    char *words[WORDS_MOST] = {
        script,    word_o,        wav,
        word_rate, rate,          word_spectrogram,
        png,       word_duration, *action ? word_6_5 : word_3};
    int count = 9;
    if (*action) {
        words[count++] = word_press;
        words[count++] = action;
    }
    if (setting) {
        words[count++] = word_set;
        words[count++] = setting;
    }
    int code = run_quietly(render_main, count, words);
    (void)unlink(wav);
    return code == EXIT_OK;
}

static bool draw_modes(const lesson_files *lesson, char *body, char *png) {
    char script[PATH_MAX];
    (void)snprintf(script, sizeof script, "%s", lesson->script);
    char *words[] = {script, word_body, body, word_plot, png};
    return run_quietly(modes_main, 5, words) == EXIT_OK;
}

bool lesson_draw(const lesson_files *lesson, const char *source,
                 const char *png, char message[200]) {
    char rest[200], path[PATH_MAX];
    const char *slash = strchr(source, '/');
    size_t length = slash ? (size_t)(slash - source) : strlen(source);
    (void)snprintf(rest, sizeof rest, "%s", slash ? slash + 1 : "");
    (void)snprintf(path, sizeof path, "%s", png);
    bool is_drawn = false;
    if (length == 11 && strncmp(source, "spectrogram", length) == 0) {
        is_drawn = draw_sound(lesson, rest, path);
    } else if (length == 5 && strncmp(source, "modes", length) == 0) {
        is_drawn = draw_modes(lesson, rest, path);
    }
    if (!is_drawn)
        (void)snprintf(message, 200, "the picture '%.100s' was not drawn",
                       source);
    return is_drawn;
}
