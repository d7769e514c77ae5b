/* runtime/engine/output/output.h -- where the sound goes, whatever happens.
 *
 * A sound card while there is one, and else the silent clock: a thread that
 * asks for frames at the pace of the wall clock and throws them away. Scene
 * time goes on through every change from one to the other, frame by frame.
 *
 *            no callbacks for lost_s, or the system says so
 *     PLAYING ───────────────────────────────────────────► LEAVING
 *        ▲                                                    │ the last
 *        │ a card calls back                                  ▼ callback is out
 *     trying cards, with pauses that grow ◄──────────────── SILENT
 *
 * A card that is tried gets silence until it has shown that it lives, so
 * nothing is queued in it when it takes over: no burst, and a fade-in of a few
 * milliseconds for no click. The silent clock waits for the control thread
 * where a sound card would not, so that a recorded silent run has the same
 * samples as a render.
 *
 * Thread: control. It never waits for a sound system but in open, and there and
 *         in close no longer than the definition says.
 * Memory: owns everything but the engine. A card that does not come back from
 *         its sound system is left behind, with what it needs.
 */
#ifndef SB_ENGINE_OUTPUT_OUTPUT_H
#define SB_ENGINE_OUTPUT_OUTPUT_H

#include "runtime/engine/output/device.h"

typedef struct sb_output sb_output;

enum { SB_OUTPUT_PAUSES = 4 };

typedef struct sb_output_def {
    sb_engine *engine;
    const char
        *backend; /* as in sb_device_def; "null": the silent clock only */
    const char *device;
    bool needs_device; /* no card at the start is an error, not a message */
    const sb_device_api *api; /* default: sb_device_cards */
    double lost_s;            /* without a callback: lost; default 1 */
    double stopped_s; /* the same once the system says so; default 0.1 */
    double pauses_s[SB_OUTPUT_PAUSES]; /* between tries; the last one repeats;
                                          default 0.5, 1, 2, 4 */
    double open_s; /* a card that opens no sooner is left; default 5 */
    /* a card that is tried and asks for nothing for this long is closed
     * again; default 3, as a new sink of PulseAudio's may sleep for 2 s */
    double trial_s;
    double close_s; /* how long close waits for cards; default 2 */
    double fade_s;  /* of a card that joins in; default 0.005 */
    /* One line for the user. May be NULL. */
    void (*report)(void *user, const char *message);
    void *user;
} sb_output_def;

sb_output_def sb_output_def_default(void);

/* Open a card, or be ready to go on in silence and report that. NO_DEVICE if
 * one is needed; BAD_ARGUMENT for an unknown backend. Strings are borrowed
 * until close. */
SB_NODISCARD sb_status sb_output_open(const sb_output_def *def, sb_output **out,
                                      sb_error *err);

/* Frames are asked for from now on. Once. */
SB_NODISCARD sb_status sb_output_start(sb_output *output, sb_error *err);

/* Look after it; often, at least once a control step. Cheap. `now_ns` is of
 * sb_clock_ns, or a test's. */
void sb_output_watch(sb_output *output, int64_t now_ns);

/* When it returns, nobody asks for frames any more. */
void sb_output_stop(sb_output *output);

/* Stops first. NULL is allowed. */
void sb_output_close(sb_output *output);

/* Of what plays now: "silent clock" on "null" when no card does. */
const char *sb_output_name(const sb_output *output);
const char *sb_output_backend(const sb_output *output);

/* The most frames to be asked for at once soon; may grow before a card takes
 * over, and then does so a watch early. */
int sb_output_period_frames(const sb_output *output);

typedef struct sb_output_counts {
    long long losses;  /* of a card that played */
    long long returns; /* of a card in place of the silent clock */
    int left_behind;   /* cards that have not yet come back from being closed */
} sb_output_counts;

sb_output_counts sb_output_read_counts(const sb_output *output);

/* Of all cards and the silent clock together. Thread: any. */
const sb_deadlines *sb_output_deadlines(const sb_output *output);

#endif
