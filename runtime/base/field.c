/* Numbers of a struct by their rows. Thread: any. */
#include "runtime/base/field.h"

double sb_field_least(const sb_field *field) {
    return field->zero && field->min > 0 ? 0 : field->min;
}

double sb_field_value(const sb_field *field, const void *def) {
    return *(const double *)(const void *)((const char *)def + field->offset);
}

double *sb_field_slot(const sb_field *field, void *def) {
    return (double *)(void *)((char *)def + field->offset);
}

bool sb_field_allows(const sb_field *field, double value) {
    return (value >= field->min && value <= field->max) ||
           (value == 0 && field->zero);
}

sb_status sb_field_check(const sb_field *field, const void *def,
                         const char *what, sb_error *err) {
    double value = sb_field_value(field, def);
    if (sb_field_allows(field, value)) return SB_OK;
    return sb_fail(
        err, SB_BAD_ARGUMENT, "%s: %s must be %s%s%s%g to %g%s%s, got %g", what,
        field->name, field->zero ? "0 (" : "", field->zero ? field->zero : "",
        field->zero ? ") or " : "", field->min, field->max,
        *field->unit ? " " : "", field->unit, value);
}
