/* Opens, steps and closes the studio. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/script/script.h"
#include "bindings/studio/lesson.h"
#include "bindings/studio/mode_shapes.h"
#include "bindings/studio/net/address.h"
#include "bindings/studio/publisher.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/self_path.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/contact/scene_strike.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Messages per look, so that a flood costs the control thread little. */
#define TELL_S  0.25 /* how far it has computed */
#define SERVE_S 0.02 /* between looks for messages, during a solve */
enum { MOST_EVENTS = 32, RECENT_STRIKES = 1 << 14 };

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
        if (!status && self->def.report) {
            char line[160];
            (void)snprintf(line, sizeof line,
                           "studio: port %d is taken, where pages of this "
                           "folder were; this time it is %d",
                           kept, net_port(self->net));
            self->def.report(self->def.user, line);
        }
    } else if (!status && folder &&
               !studio_address_keep(folder, net_port(self->net), self->token) &&
               self->def.report) {
        self->def.report(self->def.user,
                         "studio: the address cannot be kept: the next start "
                         "has another one");
    }
    return status;
}

static sb_status open_server(studio *self, sb_error *err) {
    net_def def = {.port = self->def.port};
    sb_status status = studio_files_find(&def.files, self->library, err);
    if (!status && !def.files.has_font && self->def.report)
        self->def.report(self->def.user,
                         "studio: formulas of lessons need a font; on Debian: "
                         "apt-get install fonts-dejavu-extra");
    if (!status) status = open_net(self, &def, err);
    self->def.folder = NULL; /* the caller's */
    if (!status) status = publisher_open(self->net, &self->publisher, err);
    if (status) return status;
    (void)snprintf(self->url, sizeof self->url, "http://127.0.0.1:%d/#token=%s",
                   net_port(self->net), self->token);
    return SB_OK;
}

sb_status studio_open(const studio_def *def, studio **out, sb_error *err) {
    studio *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_fail(err, SB_NO_MEMORY, "studio: out of memory");
    self->def = *def;
    (void)pthread_mutex_init(&self->lock, NULL);
    sb_status status = SB_OK;
    if (!sb_self_find(SB_SELF_LIBRARY, self->library, sizeof self->library))
        status = sb_fail(err, SB_NOT_FOUND,
                         "studio: the program's data are not to be found");
    if (!status && def->is_serving) status = open_server(self, err);
    if (!getcwd(self->copies, sizeof self->copies) ||
        access(self->copies, W_OK)) {
        const char *home = getenv("HOME");
        if (!home || !realpath(home, self->copies)) self->copies[0] = '\0';
    }
    self->shapes = mode_shapes_open();
    if (!status && !self->shapes)
        status = sb_fail(err, SB_NO_MEMORY, "studio: out of memory");
    if (!status) status = worker_open(&self->worker, err);
    if (!status) status = worker_open(&self->solver, err);
    if (!status) status = studio_open_tuning(self, err);
    if (!status) status = studio_open_record(self, err);
    if (status) {
        studio_close(self);
        return status;
    }
    *out = self;
    return SB_OK;
}

void studio_close(studio *self) {
    if (!self) return;
    studio_detach(self);
    worker_close(self->solver);
    worker_close(self->worker);
    mode_shapes_close(self->shapes);
    studio_take_finished(self, 0.0);
    sb_free(self->tuner);
    publisher_close(self->publisher);
    net_close(self->net);
    studio_close_record(self);
    studio_close_takes(self);
    letter_drop(self->sound);
    (void)pthread_mutex_destroy(&self->lock);
    if (*self->redirect) (void)unlink(self->redirect);
    for (int i = 0; i < NET_CLIENTS; i++) {
        while (self->clients[i].waiting) {
            net_event *event = self->clients[i].waiting;
            self->clients[i].waiting = event->next;
            net_event_free(event);
        }
    }
    cJSON_free(self->params);
    cJSON_free(self->settings);
    cJSON_free(self->quality);
    sb_free(self);
}

const char *studio_url(const studio *self) {
    return self ? self->url : "";
}

/* --- what the worker has finished ------------------------------------------------ */

typedef struct studio_done {
    studio_taker *take;
    void *data;
    struct studio_done *next;
} studio_done;

/* Thread: the worker's. */
void studio_finish(studio *self, studio_taker *take, void *data) {
    studio_done *done = sb_alloc(1, sizeof *done);
    if (!done) return; /* the memory of `data` is lost with all the rest */
    *done = (studio_done){take, data, NULL};
    (void)pthread_mutex_lock(&self->lock);
    studio_done **last = &self->done;
    while (*last)
        last = &(*last)->next;
    *last = done;
    (void)pthread_mutex_unlock(&self->lock);
}

void studio_take_finished(studio *self, double time_s) {
    (void)pthread_mutex_lock(&self->lock);
    studio_done *done = self->done;
    self->done = NULL;
    (void)pthread_mutex_unlock(&self->lock);
    while (done) {
        studio_done *next = done->next;
        done->take(self, done->data, time_s);
        sb_free(done);
        done = next;
    }
}

/* --- the scene ----------------------------------------------------------------- */

static void note_version(studio *self) {
    time_t now = time(NULL);
    struct tm when;
    self->since[0] = '\0';
    if (localtime_r(&now, &when))
        (void)strftime(self->since, sizeof self->since, "%H:%M:%S", &when);
}

static void find_folder(studio *self) {
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s", self->path);
    char *slash = strrchr(path, '/');
    if (slash) {
        slash[slash == path] = '\0';
    } else {
        (void)snprintf(path, sizeof path, ".");
    }
    if (!realpath(path, self->folder)) self->folder[0] = '\0';
    char scripts[PATH_MAX], shipped[PATH_MAX];
    (void)snprintf(scripts, sizeof scripts, "%.4000s/scripts", self->library);
    size_t length = realpath(scripts, shipped) ? strlen(shipped) : 0;
    self->is_shipped =
        length > 0 && strncmp(self->folder, shipped, length) == 0 &&
        (self->folder[length] == '/' || self->folder[length] == '\0');
}

const char *studio_save_folder(const studio *self) {
    return self->is_shipped ? self->copies : self->folder;
}

static void forget_wanted(studio *self) {
    self->wanted[0] = '\0';
    self->wants_gallery = false;
}

void studio_attach(studio *self, sb_host *host, sb_output *output,
                   const char *path, bool is_gallery) {
    if (!self) return;
    self->host = host;
    self->output = output;
    self->is_gallery = is_gallery;
    self->is_paused = self->is_broken = false;
    if (!self->is_opening) forget_wanted(self);
    self->is_opening = false;
    self->now_s = self->origin_s = 0.0;
    self->event_reader = 0;
    self->surfaced_s = -1.0;
    self->has_said_large = self->is_computing = false;
    (void)snprintf(self->path, sizeof self->path, "%s", path ? path : "");
    self->folder[0] = '\0';
    self->is_shipped = self->is_gone = false;
    memset(self->files, 0, sizeof self->files);
    if (path) find_folder(self);
    studio_lesson_begin(self);
    note_version(self);
    memset(self->gauged, 0, sizeof self->gauged);
    self->wants_heard = self->is_tracing = false;
    self->trace_rows = -1;
    if (self->net) {
        /* Its memory must be there before the sound begins; its cost begins
         * when a page asks for it. */
        sb_scene_want_recent_impacts(sb_host_scene(host), RECENT_STRIKES);
        sb_status status = sb_engine_trace(sb_host_engine(host), true, NULL);
        (void)status;
        sb_engine_end_energy(sb_host_engine(host));
    }
    if (self->publisher) {
        double rate_hz = sb_engine_sample_rate(sb_host_engine(host));
        publisher_start(self->publisher, rate_hz);
        studio_start_takes(self, rate_hz);
    }
    studio_look(self);
    self->rev++;
    self->next = self->replay ? self->replay->child : NULL;
    cJSON *json = studio_message("opened");
    json_number(json, "rev", self->rev);
    studio_send_all(self, MAIL_MUST, 0, json);
}

void studio_attach_computing(studio *self, sb_host *host, const char *path) {
    if (!self) return;
    studio_attach(self, host, NULL, path, false);
    self->is_computing = true;
    self->computing_s = 0.0;
}

static void tell_computing(studio *self, double of_s, bool is_exact) {
    double now_s = sb_clock_s(), done_s = self->now_s - self->computed_s;
    const char *slash = strrchr(self->path, '/');
    if (now_s - self->computing_told_s < TELL_S) return;
    self->computing_told_s = now_s;
    cJSON *json = studio_message("computing");
    json_text(json, "file", slash ? slash + 1 : self->path);
    json_number(json, "time", self->now_s);
    json_number(json, "of", of_s);
    json_bool(json, "exact", is_exact);
    /* What was computed in an earlier run is gone through in no time. */
    json_number(json, "left",
                done_s > 0.0 && now_s - self->computing_s > 0.5
                    ? fmax(of_s - self->now_s, 0.0) *
                          (now_s - self->computing_s) / done_s
                    : NAN);
    studio_send_all(self, MAIL_EVENT, 0, json);
}

void studio_show_computing(studio *self, double time_s, double of_s,
                           bool is_exact) {
    if (!self || !self->host) return;
    self->now_s = time_s;
    if (self->computing_s == 0.0) {
        self->computing_s = sb_clock_s();
        self->computed_s = time_s;
    }
    if (self->net) tell_computing(self, of_s, is_exact);
    studio_idle(self);
}

void studio_detach(studio *self) {
    if (self && self->is_opening) {
        self->is_opening = false;
        studio_run_waiting(self, 0.0); /* there is no scene: refused */
    }
    if (!self || !self->host) return;
    for (int i = 0; i < NET_CLIENTS; i++) {
        self->clients[i].scraped = self->clients[i].grabbed = 0;
        self->clients[i].scrape = (sb_contact_id){0};
        self->clients[i].watch = 0;
    }
    studio_forget_tuning(self);
    studio_forget_bodies(self);
    studio_forget_saved(self);
    studio_lesson_end(self);
    self->host = NULL;
    self->output = NULL;
    self->rev++;
}

void studio_set_output(studio *self, sb_output *output) {
    if (self) self->output = output;
}

const char *studio_wanted(const studio *self) {
    return self && (*self->wanted || self->wants_gallery) ? self->wanted : NULL;
}

bool studio_is_left(const studio *self) {
    return self && self->is_opening && studio_wanted(self);
}

/* --- what it costs ---------------------------------------------------------- */

/* Processor time of this thread, s. */
static double spent_s(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)) return 0.0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- the control thread comes by -------------------------------------------------- */

void studio_step(studio *self, double from_s, double to_s) {
    if (!self) return;
    self->now_s = from_s;
    if (!self->host) return;
    double began_s = spent_s();
    script_set_now(sb_host_script(self->host), from_s);
    studio_take_finished(self, from_s);
    studio_run_waiting(self, from_s);
    studio_step_replay(self, from_s, to_s);
    studio_hear_paint(self, from_s);
    studio_pull_held(self, from_s);
    self->pages_s += spent_s() - began_s;
}

/* Time stands still, so there are no steps: pages are heard all the same. */
static void run_paused(studio *self) {
    const sb_engine *engine = sb_host_engine(self->host);
    double time_s =
        (double)sb_engine_horizon(engine) / sb_engine_sample_rate(engine);
    script_set_now(sb_host_script(self->host), time_s);
    studio_take_finished(self, time_s);
    studio_run_waiting(self, time_s);
    studio_hear_paint(self, time_s);
}

void studio_idle(studio *self) {
    if (!self || !self->net) return;
    double began_s = spent_s();
    for (int i = 0; i < MOST_EVENTS; i++) {
        net_event *event = net_next(self->net);
        if (!event) break;
        studio_receive(self, event);
    }
    studio_end_outdated(self);
    if (self->host && self->is_paused) run_paused(self);
    studio_stream(self);
    if (self->host) studio_watch_files(self);
    self->pages_s += spent_s() - began_s;
}

void studio_hear(studio *self, const float *stereo, int frames) {
    if (!self || !self->publisher) return;
    publisher_hear(self->publisher, stereo, frames);
    studio_hear_takes(self, stereo, frames);
}

/* --- what the host reports ---------------------------------------------------------- */

/* "glass.lua:14: message" or "folder/glass.lua:14: message". */
static bool read_place(const char *text, char *file, size_t size, int *line) {
    const char *end = strstr(text, ".lua:");
    const char *newline = strchr(text, '\n');
    if (!end || (newline && newline < end)) return false;
    char *rest;
    long number = strtol(end + 5, &rest, 10);
    if (number < 1 || *rest != ':' || end + 4 - text >= (long)size)
        return false;
    const char *from = text;
    for (const char *p = text; p < end; p++)
        if (*p == '/' || *p == ' ') from = p + 1;
    (void)snprintf(file, size, "%.*s", (int)(end + 4 - from), from);
    *line = (int)number;
    return true;
}

static void send_error(studio *self, const char *type, const char *text) {
    char file[256] = "", message[SB_MESSAGE_SIZE + 400];
    int line = 0;
    bool has_place = read_place(text, file, sizeof file, &line);
    cJSON *json = studio_message(type);
    if (has_place) {
        json_text(json, "file", file);
        json_number(json, "line", line);
    } else {
        (void)cJSON_AddNullToObject(json, "file");
        (void)cJSON_AddNullToObject(json, "line");
    }
    (void)snprintf(message, sizeof message, "%s", text);
    json_text(json, "message", message);
    char *hint = strstr(message, "did you mean");
    if (hint) {
        hint[strcspn(hint, "\n")] = '\0';
        json_text(json, "hint", hint);
    } else {
        (void)cJSON_AddNullToObject(json, "hint");
    }
    json_text(json, "running_since", self->since);
    studio_send_all(self, MAIL_MUST, 0, json);
    self->is_broken = true;
}

void studio_tell_broken(studio *self, const char *text) {
    send_error(self, "reload.error", text);
}

void studio_tell(studio *self, const char *line, bool is_printed) {
    char file[256];
    int number;
    if (!self || !self->net) return;
    if (!is_printed && read_place(line, file, sizeof file, &number) &&
        !strstr(line, "still running the version of")) {
        send_error(self, "runtime.error", line);
    }
    cJSON *json = studio_message("log");
    json_text(json, "level", "info");
    json_text(json, "text", line);
    studio_send_all(self, MAIL_EVENT, TOPIC_LOG, json);
}

void studio_progress(studio *self, const char *body, const char *stage,
                     int done, int expected) {
    if (!self || !self->net) return;
    cJSON *json = studio_message("solve.progress");
    json_text(json, "body", body ? body : "");
    json_text(json, "stage", stage);
    json_number(json, "done", done);
    json_number(json, "expected", expected);
    studio_send_all(self, MAIL_EVENT, 0, json);
    if (self->host) return;
    if (!self->is_opening) forget_wanted(self); /* it is being opened */
    self->is_opening = true;
    if (sb_clock_s() - self->computing_told_s < SERVE_S) return;
    self->computing_told_s = sb_clock_s();
    studio_idle(self);
}

void studio_loaded(studio *self, const sb_commit_counts *counts,
                   const sb_error *err) {
    if (!self || !self->net) return;
    if (err) {
        send_error(self, "reload.error", err->message);
        return;
    }
    note_version(self);
    self->is_broken = false;
    if (self->is_resetting) self->origin_s = self->now_s;
    self->is_resetting = false;
    studio_drop_tuning(self);
    for (int i = 0; i < self->body_count; i++)
        self->bodies[i].has_scripted = self->bodies[i].is_tuned = false;
    studio_look(self);
    cJSON *json = studio_message("reload.ok");
    json_number(json, "rev", self->rev);
    json_number(json, "kept", counts->kept);
    json_number(json, "moved", counts->moved);
    json_number(json, "painted", counts->painted);
    json_number(json, "retuned", counts->retuned);
    json_number(json, "replaced", counts->replaced);
    json_number(json, "added", counts->added);
    json_number(json, "removed", counts->removed);
    studio_send_all(self, MAIL_MUST, 0, json);
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
