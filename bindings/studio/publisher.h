/* bindings/studio/publisher.h -- looks at the sound and sends it to pages.
 *
 * The control thread hands over the frames that were played, through a ring; a
 * thread of its own makes spectra, waveforms and packets of sound, and puts
 * them into the mailboxes. While nobody listens it sleeps.
 *
 * Thread: control, except where said.
 * Memory: owns its thread and ring; the net must outlive it.
 */
#ifndef SB_BINDINGS_STUDIO_PUBLISHER_H
#define SB_BINDINGS_STUDIO_PUBLISHER_H

#include "runtime/base/status.h"

#include <stdint.h>

typedef struct net net;
typedef struct publisher publisher;

enum { PUBLISHES_SPECTRUM = 1, PUBLISHES_SCOPE = 2, PUBLISHES_PCM = 4 };

SB_NODISCARD sb_status publisher_open(net *server, publisher **out,
                                      sb_error *err);
void publisher_close(publisher *self); /* NULL is allowed */

/* What a client is to be sent; 0: nothing. */
void publisher_subscribe(publisher *self, uint32_t client, unsigned what);

/* Sound at another rate, from frame 0 on. */
void publisher_start(publisher *self, double rate_hz);
void publisher_hear(publisher *self, const float *stereo, int frames);

#endif
