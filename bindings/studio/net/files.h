/* bindings/studio/net/files.h -- the files that the studio serves: its page, and
 * the libraries of the page.
 *
 * An address is looked up in a fixed list of folders; the resolved file must
 * lie in its folder, whatever links and ".." the address goes through.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_BINDINGS_STUDIO_NET_FILES_H
#define SB_BINDINGS_STUDIO_NET_FILES_H

#include "bindings/studio/net/mailbox.h"
#include "runtime/base/status.h"

#include <limits.h>

enum { STUDIO_ETAG_SIZE = 48 };

/* Served folders: the part of the address, and where it is. */
typedef struct studio_root {
    const char *prefix; /* "/page/" */
    char folder[PATH_MAX];
} studio_root;

enum { STUDIO_ROOTS = 5 };
typedef struct studio_files {
    studio_root roots[STUDIO_ROOTS];
    int count;
    bool has_font; /* for formulas */
} studio_files;

/* The folders, with the data of the program (scripts, models, page) in
 * `library`. NOT_FOUND names a missing folder and its package. */
SB_NODISCARD sb_status studio_files_find(studio_files *files,
                                         const char *library, sb_error *err);

/* The resolved path of `name` in `folder`, if it is a file that lies there. */
bool studio_resolve(const char *folder, const char *name, char out[PATH_MAX]);

typedef struct studio_file {
    const char *type;            /* "text/javascript; charset=utf-8" */
    char etag[STUDIO_ETAG_SIZE]; /* with its quotes */
    letter *content;             /* NULL: not read, because `etag` is known */
} studio_file;

/* False: no such file. `known` is the etag that the asker has, or "". */
bool studio_file_read(const studio_files *files, const char *address,
                      const char *known, studio_file *out);

#endif
