/* bindings/host/deform_journal.h -- where what deformable bodies did is kept.
 *
 * The folder is `deform` in the model cache. A journal is named by the SHA-256
 * of the contents of all files that the scene has read, the settings, the seed
 * and the version of the program: another scene has another journal. When the
 * folder exceeds its limit, the oldest journals are removed.
 *
 * Thread: control. Memory: the caller's.
 */
#ifndef SB_BINDINGS_HOST_DEFORM_JOURNAL_H
#define SB_BINDINGS_HOST_DEFORM_JOURNAL_H

#include "bindings/script/script.h"

#include <limits.h>

typedef struct journal_key {
    const sb_script *script;
    uint64_t seed;
    const sb_setting *settings;
    int setting_count;
} journal_key;

/* False: there is no cache, or its folder cannot be made. */
bool journal_path(const journal_key *key, char path[PATH_MAX]);

#endif
