# SPDX-License-Identifier: MIT
# Read by cpack. Without dpkg-shlibdeps it would make packages that depend on
# nothing, and say so in one line among others.
if(CPACK_GENERATOR STREQUAL DEB)
  foreach(pair IN ITEMS dpkg-shlibdeps:dpkg-dev file:file)
    string(REGEX REPLACE ":.*" "" program ${pair})
    string(REGEX REPLACE ".*:" "" package ${pair})
    find_program(PATH_OF_${program} ${program})
    if(NOT PATH_OF_${program})
      message(FATAL_ERROR "${program} finds what the packages depend on, and "
        "was not found; on Debian: apt-get install ${package}")
    endif()
  endforeach()
endif()
