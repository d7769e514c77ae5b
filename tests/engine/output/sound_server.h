/* SPDX-License-Identifier: MIT */
/* tests/engine/output/sound_server.h -- a PulseAudio server of our own, with
 * one sink.
 *
 * It has its own home, socket and configuration: no other server is touched.
 * The sink goes nowhere, and can be removed and added again.
 */
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct sound_server {
    char folder[64];
    pid_t process;
    char sink[16]; /* number of the module, "" while there is none */
} sound_server;

/* Run a program, wait for it, and keep the first line it prints. */
static inline bool run_program(const char *const *words, char *line,
                               size_t size) {
    int ends[2];
    if (pipe(ends)) return false;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
        (void)execvp(words[0], (char *const *)words);
        _exit(127);
    }
    (void)close(ends[1]);
    FILE *said = fdopen(ends[0], "r");
    if (!fgets(line, (int)size, said)) line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    char rest[256];
    while (fgets(rest, sizeof rest, said)) {
    }
    (void)fclose(said);
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0;
}

/* `arguments` of the sink's module, e.g. "norewinds=1": asks for frames at once
 * instead of sleeping through what it has made up so far. */
static inline bool server_add_sink(sound_server *server,
                                   const char *arguments) {
    const char *words[] = {"pactl",
                           "load-module",
                           "module-null-sink",
                           "sink_name=nowhere",
                           "rate=48000",
                           "channels=2",
                           "sink_properties=device.description=Nowhere",
                           arguments,
                           NULL};
    return run_program(words, server->sink, sizeof server->sink);
}

static inline bool server_remove_sink(sound_server *server) {
    char line[80];
    const char *words[] = {"pactl", "unload-module", server->sink, NULL};
    return run_program(words, line, sizeof line);
}

static inline void server_environment(const sound_server *server) {
    char socket[100];
    const char *const homes[] = {"HOME", "XDG_RUNTIME_DIR",
                                 "PULSE_RUNTIME_PATH", "PULSE_STATE_PATH"};
    for (int i = 0; i < 4; i++)
        (void)setenv(homes[i], server->folder, 1);
    (void)snprintf(socket, sizeof socket, "unix:%s/socket", server->folder);
    (void)setenv("PULSE_SERVER", socket, 1);
    (void)unsetenv("DISPLAY");
    (void)unsetenv("DBUS_SESSION_BUS_ADDRESS");
}

/* NULL, or why there is none. Before any thread is started. */
static inline const char *server_start(sound_server *server) {
    *server = (sound_server){.folder = "/tmp/sandbell-server-XXXXXX"};
    if (!mkdtemp(server->folder)) return "no temporary folder";
    server_environment(server);
    server->process = fork();
    if (server->process == 0) {
        char protocol[200];
        (void)snprintf(protocol, sizeof protocol,
                       "module-native-protocol-unix auth-anonymous=1 "
                       "socket=%s/socket",
                       server->folder);
        int nowhere = open("/dev/null", O_WRONLY);
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
        (void)execlp("pulseaudio", "pulseaudio", "-n", "--daemonize=no",
                     "--system=false", "--use-pid-file=no",
                     "--exit-idle-time=-1", "--disable-shm=yes",
                     "--realtime=no", "--high-priority=no", "-L", protocol,
                     (char *)NULL);
        _exit(127);
    }
    char line[200];
    const char *words[] = {"pactl", "info", NULL};
    for (int i = 0; i < 100; i++) {
        if (run_program(words, line, sizeof line)) return NULL;
        if (waitpid(server->process, NULL, WNOHANG) != 0) {
            server->process = 0;
            return "the PulseAudio server does not start here";
        }
        (void)usleep(100000);
    }
    return "the PulseAudio server does not answer within 10 s";
}

static inline void server_stop(sound_server *server) {
    char line[8];
    const char *words[] = {"rm", "-rf", server->folder, NULL};
    if (server->process > 0) {
        (void)kill(server->process, SIGTERM);
        (void)waitpid(server->process, NULL, 0);
    }
    (void)run_program(words, line, sizeof line);
}
