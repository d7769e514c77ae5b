/* runtime/store/checksum.h -- has a file changed on the disk?
 *
 * XXH3, 64 bits: about as fast as memory. Against accidents, not against
 * people; names of things come from SHA-256 (runtime/base/digest.h).
 *
 * Thread: any.
 */
#ifndef SB_STORE_CHECKSUM_H
#define SB_STORE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t sb_checksum(const void *bytes, size_t count);

#endif
