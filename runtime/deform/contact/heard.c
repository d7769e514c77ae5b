/* Impulses of colliders, frame by frame (heard.h). Thread: as there. */
#include "runtime/deform/contact/heard.h"

#include "runtime/base/memory.h"

sb_status deform_heard_make(sb_deform *deform, const sb_deform_def *def,
                            sb_error *err) {
    deform_heard *heard = sb_alloc(1, sizeof *heard);
    size_t count = (size_t)def->collider_count;
    deform->colliders->heard = heard;
    if (heard) heard->places = sb_alloc(count, sizeof *heard->places);
    if (!heard || !heard->places)
        return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    for (size_t i = 0; i < count; i++) {
        heard->places[i] = def->colliders[i].is_heard ? heard->count++ : -1;
    }
    heard->most = HEARD_FRAMES * heard->count;
    return SB_OK;
}

void deform_heard_free(deform_heard *heard) {
    if (heard) sb_free(heard->places);
    sb_free(heard);
}

static size_t numbers(size_t bytes) {
    return (bytes + sizeof(double) - 1) / sizeof(double);
}

size_t deform_heard_numbers(const deform_heard *heard) {
    return numbers(sizeof *heard->head) +
           numbers((size_t)heard->count * sizeof *heard->sums) +
           numbers((size_t)heard->most * sizeof *heard->queue);
}

void deform_heard_place(deform_heard *heard, double *state) {
    heard->head = (heard_head *)(void *)state;
    state += numbers(sizeof *heard->head);
    heard->sums = (heard_sum *)(void *)state;
    state += numbers((size_t)heard->count * sizeof *heard->sums);
    heard->queue = (sb_deform_touch_frame *)(void *)state;
}

void deform_heard_add(sb_deform *deform, int collider, const collider_hit *hit,
                      sb_vec3 at) {
    deform_heard *heard = deform->colliders->heard;
    int place = heard->places[collider];
    if (place < 0) return;
    heard_sum *sum = &heard->sums[place];
    sb_vec3 point = sb_vec3_add(sb_vec3_scale(at, hit->size), hit->arm);
    sum->impulse_ns = sb_vec3_add(sum->impulse_ns, hit->impulse_ns);
    sum->point = sb_vec3_add(sum->point, point);
    sum->size += hit->size;
}

static void end_frame(deform_heard *heard, int collider) {
    heard_sum *sum = &heard->sums[heard->places[collider]];
    if (!(sum->size > 0)) return;
    heard->queue[heard->head->next++ % heard->most] = (sb_deform_touch_frame){
        .collider = collider,
        .frame = heard->head->frame,
        .impulse_ns = sum->impulse_ns,
        .point_m = sb_vec3_scale(sum->point, 1 / sum->size)};
    *sum = (heard_sum){.size = 0};
}

void deform_heard_reach(sb_deform *deform, int64_t step) {
    deform_heard *heard = deform->colliders->heard;
    int64_t frame = step / (deform->fine_steps * FINE_PER_FRAME);
    if (heard->count == 0 || frame <= heard->head->frame) return;
    for (int c = 0; c < deform->collider_count; c++) {
        if (heard->places[c] >= 0) end_frame(heard, c);
    }
    heard->head->frame = frame;
}

bool deform_heard_has_room(const sb_deform *deform, double frame) {
    const deform_heard *heard = deform->colliders->heard;
    const heard_head *head = heard->head;
    if (heard->count == 0) return true;
    int64_t oldest = head->frame;
    if (head->first < head->next)
        oldest = heard->queue[head->first % heard->most].frame;
    return frame < (double)oldest + HEARD_FRAMES;
}

bool sb_deform_next_touch(sb_deform *deform, sb_deform_touch_frame *out) {
    if (!deform->colliders || deform->colliders->heard->count == 0)
        return false;
    deform_heard *heard = deform->colliders->heard;
    if (heard->head->first == heard->head->next) return false;
    *out = heard->queue[heard->head->first++ % heard->most];
    return true;
}
