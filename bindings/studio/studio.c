/* SPDX-License-Identifier: MIT */
/* Opens, steps and closes the server of pages. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/self_path.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SERVE_S 0.02 /* between looks for messages, during a solve */
/* Messages per look, so that a flood costs the control thread little. */
enum { MOST_EVENTS = 32 };

/* --- for the session ------------------------------------------------------------ */

static void send_news(void *user, const session_news *news) {
    static const mail_class classes[] = {[NEWS_MUST] = MAIL_MUST,
                                         [NEWS_EVENT] = MAIL_EVENT,
                                         [NEWS_STREAM] = MAIL_STREAM,
                                         [NEWS_QUEUE] = MAIL_QUEUE};
    studio *self = user;
    int type = (int)news->type;
    size_t head = type == RECORD_NONE ? 0 : LETTER_HEADER;
    letter *mail = NULL; /* no memory: the page is closed if it must have it */
    if (news->bytes)
        mail = type == RECORD_NONE ? letter_make(news->count, false)
                                   : letter_record(type, self->sequence[type]++,
                                                   news->count, news->time_s);
    if (mail) memcpy(mail->bytes + head, news->bytes, news->count);
    for (int i = 0; i < news->hand_count; i++)
        if (mail || news->class == NEWS_MUST)
            net_send(self->net, news->hands[i], classes[news->class], type,
                     mail);
    letter_drop(mail);
}

/* Thread: any. */
static void send_answer(void *user, uint32_t request,
                        const session_answer *answer) {
    const studio *self = user;
    net_reply reply = {.status = answer->status, .type = answer->type};
    (void)snprintf(reply.etag, sizeof reply.etag, "%s", answer->etag);
    if (answer->bytes) {
        reply.body = letter_make(answer->count, true);
        if (reply.body) memcpy(reply.body->bytes, answer->bytes, answer->count);
        if (!reply.body) reply.status = 503;
    }
    net_answer(self->net, request, &reply);
    letter_drop(reply.body);
}

static void report(void *user, const char *line) {
    const studio *self = user;
    if (self->def.report) self->def.report(self->def.user, line);
}

static void run_waiting(void *user, double time_s) {
    studio_run_waiting(user, time_s);
}

/* --- opening and closing ------------------------------------------------------ */

/* Where the pages of this folder expect it; anywhere, if that is taken. */
static sb_status open_net(studio *self, net_def *def, sb_error *err) {
    int kept = 0;
    const char *folder = self->def.folder;
    bool is_known = folder && studio_address_read(folder, &kept, self->token);
    if (!is_known && !studio_token_make(self->token))
        return sb_fail(err, SB_IO_ERROR,
                       "studio: the system has no random numbers");
    memcpy(def->token, self->token, sizeof def->token);
    if (def->port == 0) def->port = kept;
    sb_status status = net_open(def, &self->net, err);
    if (status == SB_IO_ERROR && self->def.port == 0 && kept) {
        def->port = 0;
        status = net_open(def, &self->net, err);
        if (!status) {
            char line[160];
            (void)snprintf(line, sizeof line,
                           "studio: port %d is taken, where pages of this "
                           "folder were; this time it is %d",
                           kept, net_port(self->net));
            report(self, line);
        }
    } else if (!status && folder &&
               !studio_address_keep(folder, net_port(self->net), self->token)) {
        report(self, "studio: the address cannot be kept: the next start has "
                     "another one");
    }
    return status;
}

static sb_status open_server(studio *self, sb_error *err) {
    net_def def = {.port = self->def.port};
    char library[PATH_MAX];
    if (!sb_self_find(SB_SELF_LIBRARY, library, sizeof library))
        return sb_fail(err, SB_NOT_FOUND,
                       "studio: the program's data are not to be found");
    sb_status status = studio_files_find(&def.files, library, err);
    if (!status && !def.files.has_font)
        report(self, "studio: formulas of lessons need a font; on Debian: "
                     "apt-get install fonts-dejavu-extra");
    if (!status) status = open_net(self, &def, err);
    if (!status) status = publisher_open(self->net, &self->publisher, err);
    if (status) return status;
    (void)snprintf(self->url, sizeof self->url, "http://127.0.0.1:%d/#token=%s",
                   net_port(self->net), self->token);
    return SB_OK;
}

sb_status studio_open(const studio_def *def, studio **out, sb_error *err) {
    studio *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_no_memory(err, "studio");
    self->def = *def;
    session_def acts = {.record = def->record,
                        .send = send_news,
                        .answer = send_answer,
                        .salt = self->token,
                        .act = run_waiting,
                        .report = report,
                        .user = self};
    sb_status status = open_server(self, err);
    if (!status) status = studio_open_takes(&self->takes, err);
    if (!status) status = session_open(&acts, &self->session, err);
    self->def.folder = self->def.record = NULL; /* the caller's */
    if (status) {
        studio_close(self);
        return status;
    }
    *out = self;
    return SB_OK;
}

void studio_close(studio *self) {
    if (!self) return;
    session_close(self->session);
    publisher_close(self->publisher);
    net_close(self->net);
    studio_close_takes(self->takes);
    if (*self->redirect) (void)unlink(self->redirect);
    for (int i = 0; i < NET_CLIENTS; i++)
        cJSON_Delete(self->clients[i].waiting);
    sb_free(self);
}

const char *studio_url(const studio *self) {
    return self ? self->url : "";
}

session *studio_session(const studio *self) {
    return self ? self->session : NULL;
}

/* --- the control thread comes by -------------------------------------------------- */

void studio_attach(studio *self, sb_host *host, sb_output *output,
                   const char *path, bool is_gallery) {
    if (!self) return;
    session_attach(self->session, host, output, path, is_gallery);
    double rate_hz = session_state_of(self->session).rate_hz;
    publisher_start(self->publisher, rate_hz);
    studio_start_takes(self->takes, rate_hz);
}

/* Processor time of this thread, s. */
static double spent_s(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)) return 0.0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void studio_step(studio *self, double from_s, double to_s) {
    if (!self) return;
    double began_s = spent_s();
    session_step(self->session, from_s, to_s);
    session_spend(self->session, spent_s() - began_s);
}

void studio_idle(studio *self) {
    if (!self) return;
    double began_s = spent_s();
    for (int i = 0; i < MOST_EVENTS; i++) {
        net_event *event = net_next(self->net);
        if (!event) break;
        studio_receive(self, event);
        net_event_free(event);
    }
    session_idle(self->session);
    session_spend(self->session, spent_s() - began_s);
}

void studio_hear(studio *self, const float *stereo, int frames) {
    if (!self) return;
    publisher_hear(self->publisher, stereo, frames);
    studio_hear_takes(self->takes, stereo, frames);
}

void studio_show_computing(studio *self, double time_s, double of_s,
                           bool is_exact) {
    if (!self) return;
    session_show_computing(self->session, time_s, of_s, is_exact);
    studio_idle(self);
}

void studio_progress(studio *self, const char *body, const char *stage,
                     int done, int expected) {
    if (!self) return;
    session_progress(self->session, body, stage, done, expected);
    double now_s = sb_clock_s();
    if (session_state_of(self->session).phase != SESSION_OPENING ||
        now_s - self->served_s < SERVE_S)
        return;
    self->served_s = now_s;
    studio_idle(self);
}

/* --- the browser -------------------------------------------------------------------- */

void studio_open_browser(studio *self) {
    const char *base = getenv("XDG_RUNTIME_DIR");
    if (!self || (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))) return;
    (void)snprintf(self->redirect, sizeof self->redirect,
                   "%.3000s/sandbell-studio-XXXXXX.html",
                   base && *base ? base : "/tmp");
    int descriptor = mkstemps(self->redirect, 5); /* mode 0600 */
    if (descriptor < 0) {
        self->redirect[0] = '\0';
        return;
    }
    (void)dprintf(descriptor,
                  "<!doctype html><meta http-equiv=\"refresh\" "
                  "content=\"0;url=%s\">\n",
                  self->url);
    (void)close(descriptor);
    posix_spawn_file_actions_t quiet;
    char *words[] = {(char[]){"xdg-open"}, self->redirect, NULL};
    pid_t child;
    (void)posix_spawn_file_actions_init(&quiet);
    for (int i = 1; i <= 2; i++)
        (void)posix_spawn_file_actions_addopen(&quiet, i, "/dev/null", O_WRONLY,
                                               0);
    (void)posix_spawnp(&child, words[0], &quiet, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&quiet);
}
