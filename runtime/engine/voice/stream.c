/* Plays pieces of sound that were computed elsewhere. Thread: audio. */
#include "runtime/engine/voice/stream.h"

#include "runtime/base/block.h"

static void play(const sb_stream *stream, float *mono) {
    int first = stream->offset > 0 ? stream->offset : 0;
    int last = stream->offset + stream->count;
    if (last > SB_BLOCK_FRAMES) last = SB_BLOCK_FRAMES;
    for (int n = first; n < last; n++)
        mono[n] += stream->samples[n - stream->offset];
}

void sb_streams_play(sb_stream **list, sb_stream **ended, float *mono) {
    sb_stream **at = list;
    while (*at) {
        sb_stream *stream = *at;
        play(stream, mono);
        stream->offset -= SB_BLOCK_FRAMES;
        if (stream->offset + stream->count > 0) {
            at = &stream->next;
            continue;
        }
        *at = stream->next;
        stream->next = *ended;
        *ended = stream;
    }
}

sb_stream *sb_streams_take(sb_stream **list) {
    sb_stream *first = *list;
    if (first) *list = first->next;
    return first;
}
