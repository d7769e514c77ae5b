/* runtime/base/block.h -- how many frames are computed at a time.
 *
 * Thread: any.
 */
#ifndef SB_BASE_BLOCK_H
#define SB_BASE_BLOCK_H

/* The engine's inner block; device callbacks of any size are served from it. */
enum { SB_BLOCK_FRAMES = 128 };

#endif
