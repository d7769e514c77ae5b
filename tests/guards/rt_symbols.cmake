# Fails if the sandbell_rt objects, taken together, refer to anything they do not
# define themselves, outside this list. So proves, for every path and not only
# the tested ones, that audio-thread code cannot allocate, lock, log or read.
set(allowed
  "memset" "memcpy" "memmove" "strcmp"
  "(sin|cos|sincos|tan|tanh|exp|expm1|log|pow|sqrt|floor|ceil|fabs|fmod|fmin|fmax)f?"
  "__cpu_(model|features2|indicator_init)"    # which vectors this CPU has
  "__assert_fail"                             # debug builds; ends the program
  "__(asan|ubsan|tsan|sanitizer)_.*" "__stack_chk_fail"
  "_GLOBAL_OFFSET_TABLE_")
string(JOIN "|" allowed ${allowed})

string(REPLACE "|" ";" objects "${OBJECTS}")
execute_process(COMMAND ${NM} --defined-only ${objects}
                OUTPUT_VARIABLE defined COMMAND_ERROR_IS_FATAL ANY)

set(offences "")
foreach(object IN LISTS objects)
  execute_process(COMMAND ${NM} -u ${object}
                  OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "U [^\n]+" symbols "${undefined}")
  foreach(symbol IN LISTS symbols)
    string(SUBSTRING "${symbol}" 2 -1 symbol)
    if(NOT symbol MATCHES "^(${allowed})$" AND
       NOT "${defined}\n" MATCHES " [A-Z] ${symbol}\n")
      string(APPEND offences "  ${symbol}  in ${object}\n")
    endif()
  endforeach()
endforeach()
if(offences)
  message(FATAL_ERROR "not allowed on the audio thread:\n${offences}")
endif()
