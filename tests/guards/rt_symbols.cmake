# SPDX-License-Identifier: MIT
# Fails if the sandbell_rt objects, taken together, refer to anything they do not
# define themselves, outside this list. So proves, for every path and not only
# the tested ones, that audio-thread code cannot allocate, lock, log or read.
set(allowed
  "memset" "memcpy" "memmove" "strcmp"
  "(sin|cos|sincos|tan|tanh|exp|expm1|log|pow|tgamma|sqrt|floor|ceil|fabs|fmod|fmin|fmax)f?"
  "__cpu_(model|features2|indicator_init)"    # which vectors this CPU has
  "clock_gettime"                             # the vDSO, no system call
  "__assert_fail"                             # debug builds; ends the program
  "__(asan|ubsan|tsan|sanitizer)_.*" "__stack_chk_fail"
  "_GLOBAL_OFFSET_TABLE_")
string(JOIN "|" allowed ${allowed})

string(REPLACE "|" ";" objects "${OBJECTS}")
execute_process(COMMAND ${NM} --defined-only ${objects}
                OUTPUT_VARIABLE defined COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NM} -u --print-file-name ${objects}
                OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)

# Each undefined symbol is looked up once, whichever objects refer to it.
string(REGEX MATCHALL " U [^\n]+" symbols "${undefined}")
list(REMOVE_DUPLICATES symbols)
set(offences "")
foreach(symbol IN LISTS symbols)
  string(SUBSTRING "${symbol}" 3 -1 symbol)
  if(symbol MATCHES "^(${allowed})$")
    continue()
  endif()
  set(is_ours FALSE)
  foreach(kind IN ITEMS T D R B V W) # global: code, data, weak
    string(FIND "${defined}" " ${kind} ${symbol}\n" place)
    if(place GREATER_EQUAL 0)
      set(is_ours TRUE)
      break()
    endif()
  endforeach()
  if(NOT is_ours)
    string(REGEX MATCH "[^\n]*: +U ${symbol}\n" line "${undefined}")
    string(REGEX REPLACE ": +U .*" "" object "${line}")
    string(APPEND offences "  ${symbol}  in ${object}\n")
  endif()
endforeach()
if(offences)
  message(FATAL_ERROR "not allowed on the audio thread:\n${offences}")
endif()
