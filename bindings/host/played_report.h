/* bindings/host/played_report.h -- one line per body that is not played
 * exactly: how far its lowest mode and its worst one are from their pitch
 * (runtime/model/sound/discretise.h).
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_HOST_PLAYED_REPORT_H
#define SB_BINDINGS_HOST_PLAYED_REPORT_H

#include "bindings/host/host_world.h"

/* After a commit; `report` may be NULL. */
void sb_report_played(const sb_scene *scene, double rate_hz,
                      sb_world_reporter *report, void *user);

#endif
