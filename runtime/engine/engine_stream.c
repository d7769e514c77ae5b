/* The control side of streams (stream.h). Thread: control. */
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/engine_internal.h"

#include <string.h>

sb_status sb_engine_stream(sb_engine *engine, sb_voice_id id,
                           int64_t start_frame, const float *samples, int count,
                           sb_error *err) {
    sb_status status = engine_check_voice(engine, id, err);
    if (!status) status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    size_t bytes = (size_t)count * sizeof *samples;
    sb_stream *stream = sb_alloc(1, sizeof *stream + bytes);
    if (!stream)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d frames", count);
    stream->count = count;
    memcpy(stream->samples, samples, bytes);
    engine_post(engine, (sb_command){.time_frames = (double)start_frame,
                                     .kind = SB_COMMAND_STREAM,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.stream = stream});
    return SB_OK;
}
