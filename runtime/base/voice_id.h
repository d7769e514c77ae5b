/* runtime/base/voice_id.h -- the handle of a voice.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_BASE_VOICE_ID_H
#define SB_BASE_VOICE_ID_H

#include <stdint.h>

/* Voices have ids, not pointers: a stale id is detected. The all-zero id is "no
 * voice". */
typedef struct sb_voice_id {
    uint32_t index;
    uint32_t generation;
} sb_voice_id;

#endif
