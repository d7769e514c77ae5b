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

#include "bindings/host/host.h"
#include "bindings/script/script.h"

/* Opens the deformable bodies of a scene as the definition of its host says.
 * Errors of sb_scene_open_deform. */
SB_NODISCARD sb_status host_open_deform(sb_scene *scene,
                                        const sb_script *script,
                                        const sb_host_def *host, sb_error *err);

#endif
