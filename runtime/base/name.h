/* runtime/base/name.h -- how long names are: of bodies, materials, params,
 * joints.
 *
 * Thread: any.
 */
#ifndef SB_BASE_NAME_H
#define SB_BASE_NAME_H

enum { SB_NAME_SIZE = 64 }; /* bytes, with the final 0 */

#endif
