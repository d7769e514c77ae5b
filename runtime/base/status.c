#include "runtime/base/status.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const status_names[] = {
#define X(name) #name,
    SB_STATUS_LIST(X)
#undef X
};

const char *sb_status_name(sb_status status) {
    return status < SB_STATUS_COUNT ? status_names[status] : "UNKNOWN";
}

sb_status(sb_fail)(sb_error *err, sb_status status, const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        (void)vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return status;
}
