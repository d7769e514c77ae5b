/* SPDX-License-Identifier: MIT */
/* The fields of sb_quality_def. Thread: any. */
#include "runtime/base/quality_def.h"

#define AT(field) offsetof(sb_quality_def, field)

const sb_field sb_quality_fields[] = {
    SB_FIELD_ROW("budget", AT(budget), 0, 1, 0, 1, NULL, "",
                 "share of one core for all sound, in live play; 0: no limit; "
                 "default 0.6"),
    /* Above this slope only the loudest sound gets any budget. */
    SB_FIELD_ROW("slope", AT(slope), 0, 1e6, 0, 100, NULL, "",
                 "0 divides the budget equally among bodies, more favours the "
                 "loudest; default 8"),
    SB_FIELD_ROW("tau", AT(tau), 0, 32768, 0, 1000, NULL, "",
                 "modes quieter than this are not mixed, in 1/32768 of full "
                 "scale; default 0.01"),
    /* More modes than any machine can mix in real time. */
    SB_FIELD_WHOLE("modes", AT(modes), 0, 1e6, 0, 5000,
                   "greatest number mixed at once, also in a render; 0, the "
                   "default: no limit"),
    SB_FIELDS_END,
};

sb_status sb_quality_check(const sb_quality_def *def, sb_error *err) {
    sb_status status =
        sb_fields_check(sb_quality_fields, false, def, "quality", err);
    if (!status && !(def->units >= 0.0))
        status =
            sb_fail(err, SB_BAD_ARGUMENT,
                    "quality: units must be 0 or more, got %g", def->units);
    return status;
}
