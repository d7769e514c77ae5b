# SPDX-License-Identifier: MIT
# Tests that rt_symbols and layers can fail: each gets a small offender, made
# here, and must name it. A guard prints the matched words only when it fails.
set(offenders ${CMAKE_BINARY_DIR}/offenders)

function(guard_bites name pattern)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS quick
    PASS_REGULAR_EXPRESSION "${pattern}")
endfunction()

# --- an object of the audio thread that opens, allocates, locks and prints ----
file(CONFIGURE OUTPUT ${offenders}/not_rt.c CONTENT [[
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
FILE *opens(void);
FILE *opens(void) { return fopen("/dev/null", "w"); }
void *allocates(size_t bytes);
void *allocates(size_t bytes) { return malloc(bytes); }
int locks(pthread_mutex_t *mutex);
int locks(pthread_mutex_t *mutex) { return pthread_mutex_lock(mutex); }
void prints(void);
void prints(void) { (void)puts("block"); }
]])
add_library(offender_not_rt OBJECT ${offenders}/not_rt.c)
target_link_libraries(offender_not_rt PRIVATE sandbell_options)
foreach(symbol IN ITEMS fopen malloc pthread_mutex_lock puts)
  guard_bites(rt_symbols_bites_${symbol}
    "not allowed on the audio thread:.*  ${symbol}  in"
    ${CMAKE_COMMAND} -DNM=${CMAKE_NM}
    "-DOBJECTS=$<JOIN:$<TARGET_OBJECTS:sandbell_rt>,|>|$<TARGET_OBJECTS:offender_not_rt>"
    -P ${PROJECT_SOURCE_DIR}/tests/guards/rt_symbols.cmake)
endforeach()

# --- trees with one wrong include each ----------------------------------------
function(layers_bite name file line pattern)
  file(CONFIGURE OUTPUT ${offenders}/${name}/runtime/base/good.c
    CONTENT "#include \"runtime/base/status.h\"\n#include <math.h>\n")
  file(CONFIGURE OUTPUT ${offenders}/${name}/${file} CONTENT "${line}\n")
  guard_bites(layers_bites_${name} "layering:.*${file}: ${pattern}"
    ${CMAKE_COMMAND} -DROOT=${offenders}/${name}
    -DROOMS=${PROJECT_SOURCE_DIR}/tests/guards/rooms.txt
    -P ${PROJECT_SOURCE_DIR}/tests/guards/layers.cmake)
endfunction()
layers_bite(upward runtime/dsp/up.c
  "#include \"runtime/engine/engine.h\"" "dsp may not use")
layers_bite(sideways runtime/model/side.h
  "#include \"runtime/dsp/bank/bank.h\"" "model may not use")
layers_bite(lua runtime/scene/script.c
  "#include <lua.h>" "runtime may not use Lua")
layers_bite(bindings runtime/engine/up.c
  "#include \"bindings/host/host.h\"" "runtime may not use Lua")
layers_bite(stray runtime/engine/file.c
  "#include <sndfile.h>" "only runtime/media/sound_file.c may")
layers_bite(room runtime/attic/new.c
  "#include <math.h>" "rooms.txt does not list attic")
layers_bite(deeper runtime/dsp/bank/up.c
  "#include \"runtime/dsp/ears/air_filter.h\"" "dsp/bank may not use")
layers_bite(program bindings/api/up.c
  "#include \"bindings/cli/console/console.h\"" "bindings/api may not use")
layers_bite(writer bindings/studio/new.c
  "sb_out_file_put(path, text, count, err)" "sb_out_file_put_in writes")
layers_bite(twin runtime/dsp/bank/good.c
  "#include <math.h>" "named like runtime/base/good.c")
layers_bite(private runtime/dsp/bank/up.c
  "#include \"runtime/base/fft_internal.h\"" "private to base")

# --- a room that sees another by way of a third ---------------------------------
file(CONFIGURE OUTPUT ${offenders}/pairs/runtime/base/a.h CONTENT "\n")
file(CONFIGURE OUTPUT ${offenders}/pairs/runtime/dsp/b.h
  CONTENT "#include \"runtime/base/a.h\"\n")
file(CONFIGURE OUTPUT ${offenders}/pairs/runtime/engine/c.c
  CONTENT "#include \"runtime/dsp/b.h\"\n")
file(CONFIGURE OUTPUT ${offenders}/pairs.txt CONTENT
  "PAIRS 2\nbase:\ndsp: base\nengine: dsp\n")
file(CONFIGURE OUTPUT ${offenders}/circle/runtime/base/a.h
  CONTENT "#include \"runtime/base/b.h\"\n")
file(CONFIGURE OUTPUT ${offenders}/circle/runtime/base/b.h
  CONTENT "#include \"runtime/base/a.h\"\n")
guard_bites(layers_bites_circle "includes form a ring: runtime/base/a.h"
  ${CMAKE_COMMAND} -DROOT=${offenders}/circle -DROOMS=${offenders}/pairs.txt
  -P ${PROJECT_SOURCE_DIR}/tests/guards/layers.cmake)
guard_bites(layers_bites_pairs "3 pairs of rooms see each other, not 2"
  ${CMAKE_COMMAND} -DROOT=${offenders}/pairs -DROOMS=${offenders}/pairs.txt
  -P ${PROJECT_SOURCE_DIR}/tests/guards/layers.cmake)
guard_bites(layers_bites_entry "base has no file named like it"
  ${CMAKE_COMMAND} -DROOT=${offenders}/pairs -DROOMS=${offenders}/pairs.txt
  -P ${PROJECT_SOURCE_DIR}/tests/guards/layers.cmake)

# --- tables that grant a room that is not below, or an unused one -------------------
file(CONFIGURE OUTPUT ${offenders}/ring.txt CONTENT
  "base: dsp\ndsp: base\n")
file(CONFIGURE OUTPUT ${offenders}/unused.txt CONTENT
  "base:\ndsp: base\n")
guard_bites(layers_bites_ring "base may not be granted dsp"
  ${CMAKE_COMMAND} -DROOT=${offenders} -DROOMS=${offenders}/ring.txt
  -P ${PROJECT_SOURCE_DIR}/tests/guards/layers.cmake)
guard_bites(layers_bites_unused "dsp does not use base"
  ${CMAKE_COMMAND} -DROOT=${offenders} -DROOMS=${offenders}/unused.txt
  -P ${PROJECT_SOURCE_DIR}/tests/guards/layers.cmake)
