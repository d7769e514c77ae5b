/* runtime/store/model_file.h -- solved models as files: .modal
 *
 * Little-endian, made to be mapped into memory and used where it lies:
 *
 *     0   8 bytes   89 'S' 'B' 'M' 'O' 'D' 0d 0a
 *     8   u32       version, 1
 *     12  u32       number of sections
 *     16  u64       bytes of the whole file
 *     24  u64       checksum (XXH3) of the table of sections
 *     32  table     per section: u32 kind, u32 zero, u64 offset, u64 bytes,
 *                   u64 checksum
 *
 * Sections begin at multiples of 64 bytes, zeros between them: facts and
 * counts, vertices, faces, texture coordinates, eigenvalues, shapes; and, so
 * that the same material again needs no finishing, the finished modes and
 * their shapes. Kinds that are not known are passed over. A file that is cut
 * short, changed in any bit or of a newer version is refused whole, and
 * nothing in it is trusted: every count, offset and index is checked.
 *
 * Files are written whole or not at all, by renaming, so a file that is mapped
 * stays what it was when another takes its name.
 *
 * Thread: control, workers.
 * Memory: the file stays mapped until the last release of its solution.
 */
#ifndef SB_STORE_MODEL_FILE_H
#define SB_STORE_MODEL_FILE_H

#include "runtime/base/digest.h"
#include "runtime/base/status.h"
#include "runtime/model/sound/finish.h"

typedef struct sb_model_file {
    sb_solution *solution;
    char key[SB_DIGEST_TEXT_SIZE]; /* of the problem (model_cache.h), or "" */
    bool has_material;
    sb_material material; /* it was solved for */
    bool has_finished;    /* for that material, in this way: */
    sb_finish_def finish;
    sb_finished finished;
} sb_model_file;

/* IO_ERROR, NOT_FOUND, BAD_ARGUMENT for a finished part without material. */
SB_NODISCARD sb_status sb_model_file_write(const char *path,
                                           const sb_model_file *file,
                                           sb_error *err);

/* NOT_FOUND, IO_ERROR, or BAD_FORMAT with a sentence that begins with the
 * path: it is no such file, it is cut short, what is damaged, its version. */
SB_NODISCARD sb_status sb_model_file_read(const char *path, sb_model_file *out,
                                          sb_error *err);

void sb_model_file_free(sb_model_file *file); /* an empty one is allowed */

/* May `finished` be used for this material, cut and merged so? */
bool sb_model_file_is_finished_for(const sb_model_file *file,
                                   const sb_material *material,
                                   const sb_finish_def *def);

#endif
