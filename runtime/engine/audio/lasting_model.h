/* runtime/engine/audio/lasting_model.h -- kinds of contacts that last.
 *
 * Thread: any.
 */
#ifndef SB_ENGINE_AUDIO_LASTING_MODEL_H
#define SB_ENGINE_AUDIO_LASTING_MODEL_H

typedef enum sb_lasting_model {
    SB_LASTING_KNOWN,    /* a force known in advance: rub.h */
    SB_LASTING_PRESS,    /* a loaded mass on the profile of the surfaces */
    SB_LASTING_FRICTION, /* bristles */
    SB_LASTING_BUZZ      /* a gap that opens and closes */
} sb_lasting_model;

#endif
