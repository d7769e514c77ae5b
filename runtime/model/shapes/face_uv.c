#include "runtime/model/shapes/face_uv.h"

#include "runtime/model/grid/sheet.h"

#include <math.h>

sb_vec3 sb_face_normal(const sb_vec3 at[3]) {
    return sb_vec3_cross(sb_vec3_sub(at[1], at[0]), sb_vec3_sub(at[2], at[0]));
}

void sb_face_uv_sheet(const sb_sheet *sheet, const sb_vec3 at[3],
                      float uvs[3][2]) {
    sb_vec3 normal = sb_face_normal(at);
    bool is_top = normal.y > 0.9 * sb_vec3_length(normal);
    for (int c = 0; c < 3; c++) {
        uvs[c][0] = (float)(at[c].x / sheet->x_m + 0.5);
        uvs[c][1] = (float)(at[c].z / sheet->z_m + 0.5);
        if (!is_top) uvs[c][1] += 2.0f;
    }
}

void sb_face_uv_unwind(float uvs[3][2], int axis_count) {
    for (int i = 0; i < axis_count; i++) {
        for (int c = 1; c < 3; c++) {
            uvs[c][i] = uvs[0][i] + remainderf(uvs[c][i] - uvs[0][i], 1.0f);
        }
        float middle = (uvs[0][i] + uvs[1][i] + uvs[2][i]) / 3.0f;
        for (int c = 0; c < 3; c++)
            uvs[c][i] -= floorf(middle);
    }
}
