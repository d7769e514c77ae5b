/* SPDX-License-Identifier: MIT */
/* runtime/base/name.h -- how long names are: of bodies, materials, params,
 * joints.
 *
 * Thread: any.
 */
#pragma once

enum { SB_NAME_SIZE = 64 }; /* bytes, with the final 0 */
