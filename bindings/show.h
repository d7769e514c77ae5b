/* bindings/show.h -- a value as a person wants to see it.
 *
 *     0.25    steel    body 'F3'    { duration = 0.00112, impulse = 0.036 }
 *
 * Tables are shown with what is in them, in order, so far as it fits.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_SHOW_H
#define SB_BINDINGS_SHOW_H

#include <lua.h>

/* Push a text of the value at `index`. May raise where __tostring does. */
void show_value(lua_State *L, int index);

#endif
