/* Estimates poles of damped exponentials by ESPRIT: covariance of windows,
 * signal subspace, rotation between its two shifts. Control thread. */
#include "runtime/fit/esprit.h"

#include "runtime/base/memory.h"
#include "runtime/fit/linear.h"

/* Eigenvalues below this part of the largest are rounding errors. */
#define LEAST_EIGENVALUE 1e-12

/* C_ij += sum_c y_(c+i) conj(y_(c+j)), lower half. Each diagonal is a running
 * sum: one step down removes the first product and adds one at the end. */
static void add_windows(int rows, int columns, const double complex *y,
                        double complex *matrix) {
    for (int lag = 0; lag < rows; lag++) {
        double re = 0.0, im = 0.0;
        for (int c = 0; c < columns; c++) {
            double a = creal(y[c + lag]), b = cimag(y[c + lag]);
            re += a * creal(y[c]) + b * cimag(y[c]);
            im += b * creal(y[c]) - a * cimag(y[c]);
        }
        double complex sum = CMPLX(re, im);
        for (int j = 0; j + lag < rows; j++) {
            matrix[(size_t)j * (size_t)rows + (size_t)(j + lag)] += sum;
            if (j + lag + 1 == rows) break;
            sum += y[j + lag + columns] * conj(y[j + columns]) -
                   y[j + lag] * conj(y[j]);
        }
    }
}

static int choose_order(const sb_esprit_def *def, const double *values) {
    double largest = values[def->rows - 1];
    int count = 0;
    while (count < def->most) {
        double value = values[def->rows - 1 - count];
        if (value <= def->noise_level || value <= LEAST_EIGENVALUE * largest) {
            break;
        }
        count++;
    }
    return count;
}

/* With l the conjugated last row of U, U1^H U1 = 1 - l l^H, so that the
 * least-squares solution of U1 X = U2 needs no factorisation. */
static sb_status rotate(int rows, int count, const double complex *vectors,
                        double complex *turn, double complex *poles,
                        sb_error *err) {
    const double complex *last = vectors + rows - 1;
    double left = 1.0;
    for (int i = 0; i < count; i++) {
        double complex l = last[(size_t)i * (size_t)rows];
        left -= creal(l * conj(l));
    }
    if (left < 1e-12) left = 1e-12;
    for (int j = 0; j < count; j++) {
        const double complex *uj = vectors + (size_t)j * (size_t)rows;
        double complex *column = turn + (size_t)j * (size_t)count;
        double complex along = 0.0;
        for (int i = 0; i < count; i++) {
            const double complex *ui = vectors + (size_t)i * (size_t)rows;
            double complex sum = 0.0;
            for (int n = 0; n + 1 < rows; n++)
                sum += conj(ui[n]) * uj[n + 1];
            column[i] = sum;
            along += ui[rows - 1] * sum;
        }
        for (int i = 0; i < count; i++)
            column[i] += conj(last[(size_t)i * (size_t)rows]) * along / left;
    }
    return sb_linear_general(count, turn, poles, err);
}

sb_status sb_esprit(const sb_esprit_def *def, double complex *poles,
                    int *count_out, sb_error *err) {
    size_t rows = (size_t)def->rows, most = (size_t)def->most;
    double complex *matrix = sb_alloc(rows * rows, sizeof *matrix);
    double complex *turn = sb_alloc(most * most, sizeof *turn);
    double *values = sb_alloc(rows, sizeof *values);
    sb_status status = SB_OK;
    int count = 0;
    if (!matrix || !turn || !values) {
        status = sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
    } else {
        for (int r = 0; r < def->signal_count; r++)
            add_windows(def->rows, def->length - def->rows + 1,
                        def->signals + (size_t)r * (size_t)def->stride, matrix);
        status = sb_linear_hermitian(def->rows, matrix, values, err);
    }
    if (!status) {
        count = choose_order(def, values);
        /* Eigenvalues ascend: the signal subspace is the last `count`
         * columns. */
        if (count > 0)
            status =
                rotate(def->rows, count, matrix + (rows - (size_t)count) * rows,
                       turn, poles, err);
    }
    if (!status) *count_out = count;
    sb_free(matrix);
    sb_free(turn);
    sb_free(values);
    return status;
}
