/* bindings/studio/net/address.h -- the port and token that pages of a folder
 * know, so that they find the program again after a restart.
 *
 * They lie in a file of the user's state that nobody else may read.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_BINDINGS_STUDIO_NET_ADDRESS_H
#define SB_BINDINGS_STUDIO_NET_ADDRESS_H

#include "bindings/studio/net/net_guard.h"

#include <stdbool.h>

/* Of the folder, by its real path. False: none are kept, or the file is not
 * the user's alone. */
bool studio_address_read(const char *folder, int *port,
                         char token[STUDIO_TOKEN_SIZE]);
/* False: there is no home folder, or the file cannot be written. */
bool studio_address_keep(const char *folder, int port,
                         const char token[STUDIO_TOKEN_SIZE]);

#endif
