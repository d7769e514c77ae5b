/* Collects the samples of one contact during a render and writes them as CSV.
 * Thread: control. */
#include "bindings/cli/render/contact_file.h"

#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/engine/audio/tracer.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/contact/scene_strike.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 40 s at 48 kHz: about 160 MB of memory and of file. */
enum { ROWS_MAX = 2000000, LINE_SIZE = 256 };

sb_status contact_collect(contact_rows *rows, sb_scene *scene,
                          const sb_engine *engine, sb_error *err) {
    double rate_hz = sb_engine_sample_rate(engine);
    sb_traced next;
    while (sb_scene_next_traced(scene, &next)) {
        if (rows->count == ROWS_MAX) {
            return sb_fail(err, SB_NO_MEMORY,
                           "the contact that is watched lasts more than %d "
                           "samples; render a shorter time of it, with "
                           "--duration or at a lower --rate",
                           (int)ROWS_MAX);
        }
        if (!sb_grow((void **)&rows->items, &rows->capacity, rows->count + 1,
                     sizeof *rows->items)) {
            return sb_fail(err, SB_NO_MEMORY, "out of memory for the contact");
        }
        next.time_frames /= rate_hz;
        rows->items[rows->count++] = next;
    }
    if (sb_engine_rows_lost(engine) > 0)
        return sb_fail(err, SB_NO_MEMORY,
                       "samples of the contact came faster than they were "
                       "taken up");
    return SB_OK;
}

sb_status contact_check(const contact_rows *rows, const sb_scene *scene,
                        long long number, sb_error *err) {
    long long begun = sb_scene_contacts_begun(scene);
    if (begun < number) {
        return sb_fail(err, SB_NOT_FOUND,
                       "--contact: there is no contact %lld; the scene began "
                       "%lld in the time that was rendered",
                       number, begun);
    }
    if (rows->count == 0) {
        return sb_fail(err, SB_NOT_FOUND,
                       "--contact: contact %lld never touched in the time that "
                       "was rendered",
                       number);
    }
    return SB_OK;
}

/* ",1.25", or "," for NaN. */
static int add_number(char *line, int length, double value) {
    size_t room = LINE_SIZE - (size_t)length;
    if (isnan(value)) return length + snprintf(line + length, room, ",");
    return length + snprintf(line + length, room, ",%.12g", value);
}

static int line_of(const sb_traced *traced, char line[LINE_SIZE]) {
    const sb_trace_row *r = &traced->row;
    const double values[] = {r->force_n,      r->depth_m, r->speed_m_s[0],
                             r->speed_m_s[1], r->in_j,    r->kept_j,
                             r->lost_j,       r->drift};
    int length = snprintf(line, LINE_SIZE, "%.9f", traced->time_frames);
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
        length = add_number(line, length, values[i]);
    line[length++] = '\n';
    return length;
}

sb_status contact_write(const contact_rows *rows, const char *path,
                        sb_error *err) {
    static const char head[] =
        "t_s,force_n,depth_m,speed_a_m_s,speed_b_m_s,energy_in_j,"
        "energy_kept_j,energy_lost_j,drift\n";
    enum { BUFFER = 1 << 16 };
    char buffer[BUFFER];
    sb_out_file *file = NULL;
    sb_status status = sb_out_file_create(&file, path, err);
    if (status) return status;
    status = sb_out_file_write(file, head, strlen(head), err);
    size_t used = 0;
    for (int i = 0; i < rows->count && !status; i++) {
        used += (size_t)line_of(&rows->items[i], buffer + used);
        if (used + LINE_SIZE <= BUFFER && i + 1 < rows->count) continue;
        status = sb_out_file_write(file, buffer, used, err);
        used = 0;
    }
    if (!status) return sb_out_file_commit(file, err);
    sb_out_file_abort(file);
    return status;
}

void contact_rows_free(contact_rows *rows) {
    sb_free(rows->items);
    *rows = (contact_rows){NULL, 0, 0};
}
