/* bindings/studio/net/masks.h -- frames that a client did not mask end its
 * connection (RFC 6455, 5.1).
 *
 * libwebsockets 4.1 takes such frames and shows nobody the bytes as they come.
 * It reads connections by recv, so the program has a recv of its own, which the
 * dynamic linker prefers to that of the C library: it does the same, follows the
 * headers of the frames on the sockets that are watched, and fails where one
 * lacks the mask. What came with it is not handed out.
 *
 * Thread: that of the server; recv any. Memory: static.
 */
#ifndef SB_BINDINGS_STUDIO_NET_MASKS_H
#define SB_BINDINGS_STUDIO_NET_MASKS_H

/* From now on, what is received there are frames. No effect if too many are
 * watched. */
void masks_watch(int descriptor);
void masks_forget(int descriptor); /* no effect if it is not watched */

#endif
