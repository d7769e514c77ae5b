/* runtime/store/export/pose_glb.h -- a stream of poses as glTF binary; private
 * to pose_writer.c.
 */
#ifndef SB_STORE_EXPORT_POSE_GLB_H
#define SB_STORE_EXPORT_POSE_GLB_H

#include "runtime/store/export/pose_stream.h"
#include "runtime/store/export/text_out.h"

/* BAD_ARGUMENT if so many poses do not fit into the 4 GiB of a file. */
SB_NODISCARD sb_status sb_pose_glb_check(const sb_pose_stream *stream,
                                         int64_t pose_count, sb_error *err);

/* Print the whole file; the caller ends the text. */
SB_NODISCARD sb_status sb_pose_glb_write(sb_pose_stream *stream,
                                         sb_text_out *text, sb_error *err);

#endif
