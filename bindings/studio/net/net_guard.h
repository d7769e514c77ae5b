/* SPDX-License-Identifier: MIT */
/* bindings/studio/net/net_guard.h -- who may talk to the studio.
 *
 * The server listens on loopback, but any web page in the user's browser can
 * reach loopback, too, and a name that an attacker owns can be made to point
 * there. So the Host must be a loopback name, the Origin, if there is one, must
 * be that host, and whoever wants more than the page itself needs the token,
 * which only the printed address holds.
 *
 * Thread: any. Memory: the caller's.
 */
#pragma once

#include <stdbool.h>

enum { STUDIO_TOKEN_SIZE = 65 }; /* 64 hex digits and a zero */

/* A new token from the system's random numbers; false if there are none. */
bool studio_token_make(char token[STUDIO_TOKEN_SIZE]);

/* Compare in a time that does not depend on where they differ. */
bool studio_token_is(const char *token, const char *given);

/* "127.0.0.1:8123", "localhost", "[::1]:80": a loopback name, and any port. */
bool studio_host_is_loopback(const char *host);

/* No Origin ("" or NULL), or "http://" and the text of Host. */
bool studio_origin_is_own(const char *origin, const char *host);

/* "Bearer HEX" with the token. */
bool studio_bearer_is(const char *token, const char *authorization);

/* The subprotocols "sandbell.v1, token.HEX", in any order. */
bool studio_protocols_are(const char *token, const char *protocols);

/* The port and token that pages of a folder know, so that they find the program
 * again after a restart. They lie in a file of the user's state that nobody else
 * may read. */

/* Of the folder, by its real path. False: none are kept, or the file is not
 * the user's alone. */
bool studio_address_read(const char *folder, int *port,
                         char token[STUDIO_TOKEN_SIZE]);
/* False: there is no home folder, or the file cannot be written. */
bool studio_address_keep(const char *folder, int port,
                         const char token[STUDIO_TOKEN_SIZE]);
