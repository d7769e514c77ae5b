# SPDX-License-Identifier: MIT
# Every source file names its licence in one line (SPDX). Scenes, inputs of tests
# and generated files do not. cmake -DROOT=... -P spdx.cmake
set(missing "")
file(GLOB_RECURSE sources RELATIVE ${ROOT}
  ${ROOT}/runtime/* ${ROOT}/bindings/* ${ROOT}/scripts/* ${ROOT}/models/*
  ${ROOT}/textures/* ${ROOT}/tests/*)
list(FILTER sources INCLUDE REGEX
  "\\.(c|h|cpp|hpp|def|lua|py|sh|cmake|js|ts|css|html)$|CMakeLists\\.txt$")
list(FILTER sources EXCLUDE REGEX
  "^tests/(fuzz/corpus|meshes/(bad|good)|images/bad|sandbox|lua/fails)/|^scripts/.*\\.lua$|^bindings/sandbell\\.d\\.lua$|__pycache__")
foreach(source IN LISTS sources ITEMS sandbell .ci/run CMakeLists.txt)
  file(STRINGS ${ROOT}/${source} line LIMIT_COUNT 1
    REGEX "SPDX-License-Identifier: MIT")
  if(NOT line)
    string(APPEND missing "\n  ${source}")
  endif()
endforeach()
list(LENGTH sources count)
if(missing OR count LESS 100)
  message(FATAL_ERROR "no line SPDX-License-Identifier: MIT "
    "(${count} sources):${missing}")
endif()
