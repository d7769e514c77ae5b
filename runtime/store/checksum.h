/* runtime/store/checksum.h -- detects damaged files.
 *
 * XXH3, 64 bits: about as fast as memory. It protects against accidents, not
 * against attackers; identities come from SHA-256 (runtime/base/digest.h).
 *
 * Thread: any.
 */
#ifndef SB_STORE_CHECKSUM_H
#define SB_STORE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t sb_checksum(const void *bytes, size_t count);

#endif
