/* runtime/engine/voice/stream.h -- sound that was computed elsewhere.
 *
 * A voice plays its streams in addition to its modes: pieces of the sound that
 * the body radiates, Pa m at 1 m, each from a frame on. They follow each other
 * or overlap; overlapping pieces add up. Frames before the present block are
 * skipped.
 *
 * Thread: created and freed by control, played by audio.
 * Memory: one block each; a finished piece goes back to control.
 */
#ifndef SB_ENGINE_VOICE_STREAM_H
#define SB_ENGINE_VOICE_STREAM_H

#include "runtime/base/status.h"

typedef struct sb_stream {
    struct sb_stream *next;
    int offset; /* of its first frame, from the start of the coming block */
    int count;
    float samples[];
} sb_stream;

/* Adds the frames of the coming block to `mono`. Pieces that are over leave
 * *list for the front of *ended. */
void sb_streams_play(sb_stream **list, sb_stream **ended, float *mono) SB_RT;

/* Takes the first piece out; NULL when there is none. */
sb_stream *sb_streams_take(sb_stream **list) SB_RT;

#endif
