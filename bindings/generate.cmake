# SPDX-License-Identifier: MIT
# Rewrites every generated file of the repository from the tables in the
# program: `cmake --build build --target api`. With -DCHECK=ON it changes
# nothing and fails when a file is stale (the test `generated`).
#
#   bindings/sandbell.d.lua   the Lua API for editors
#   bindings/README.md        the parts between the marks: verbs, Lua API
#
# Needs -DSANDBELL=the program -DROOT=the repository.
cmake_minimum_required(VERSION 3.22)
set(stale "")

function(print_help variable)
  execute_process(COMMAND ${SANDBELL} help ${ARGN}
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

function(update file text)
  set(old "")
  if(EXISTS ${ROOT}/${file})
    file(READ ${ROOT}/${file} old)
  endif()
  if("${old}" STREQUAL "${text}")
    return()
  endif()
  if(CHECK)
    set(stale "${stale} ${file}" PARENT_SCOPE)
  else()
    file(WRITE ${ROOT}/${file} "${text}")
    message(STATUS "rewritten: ${file}")
  endif()
endfunction()

# Puts `part`, which has the marks itself, between the marks of `text`.
function(replace_part variable name part)
  set(text "${${variable}}")
  set(end_mark "<!-- /${name} -->\n")
  string(FIND "${text}" "<!-- ${name} -->\n" begin)
  string(FIND "${text}" "${end_mark}" end)
  if(begin LESS 0 OR end LESS begin)
    message(FATAL_ERROR
      "bindings/README.md has no <!-- ${name} --> ... <!-- /${name} -->")
  endif()
  string(LENGTH "${end_mark}" length)
  math(EXPR end "${end} + ${length}")
  string(SUBSTRING "${text}" 0 ${begin} before)
  string(SUBSTRING "${text}" ${end} -1 after)
  set(${variable} "${before}${part}${after}" PARENT_SCOPE)
endfunction()

print_help(stubs --api-stubs)
update(bindings/sandbell.d.lua "${stubs}")

file(READ ${ROOT}/bindings/README.md readme)
print_help(verbs --markdown)
replace_part(readme cli "${verbs}")
print_help(api --api-markdown)
replace_part(readme api "${api}")
update(bindings/README.md "${readme}")

if(stale)
  message(FATAL_ERROR
    "stale:${stale}\nrun: cmake --build build --target api")
endif()
