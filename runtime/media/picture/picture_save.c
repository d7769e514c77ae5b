#include "runtime/media/image/png_out.h"
#include "runtime/media/picture/picture.h"

sb_status sb_picture_save(const sb_picture *picture, const char *path,
                          sb_error *err) {
    sb_png_out png = {.kind = SB_PNG_RGB8,
                      .width = picture->width,
                      .height = picture->height,
                      .bytes = picture->pixels};
    return sb_png_write(path, &png, err);
}
