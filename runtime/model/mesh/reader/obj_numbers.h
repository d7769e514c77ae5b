/* runtime/model/mesh/reader/obj_numbers.h -- numbers of an OBJ file in a form
 * that assimp reads.
 *
 * Assimp counts the numbers of a line by their first characters, and takes
 * only a sign or a digit. Exporters write .1 and -.1, too. All words of v, vt
 * and vn lines that C reads as a number, and assimp does not, are rewritten;
 * all other bytes stay.
 *
 * Thread: the reader's only one. Memory: bytes are the caller's, sb_free.
 */
#ifndef SB_MODEL_MESH_READER_OBJ_NUMBERS_H
#define SB_MODEL_MESH_READER_OBJ_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* `*bytes` is followed by one zero, which `*size` does not include, and may be
 * replaced by another block. False if out of memory: nothing has changed. */
bool sb_obj_rewrite_numbers(char **bytes, size_t *size);

#endif
