# SPDX-License-Identifier: MIT
# Any bytes for every reader, random worlds, scenes and reloads. Tests replay the
# corpus and try some random inputs. -DSANDBELL_FUZZ=ON, with clang, builds the
# fuzzers, which extend it.
set(reader ${PROJECT_SOURCE_DIR}/runtime/model/mesh/reader)
set(fuzz_readers_sources fuzz/readers.c
  ${reader}/ply.c ${reader}/gmsh.c ${reader}/tetgen.c
  ${reader}/input.c ${reader}/assimp_files.c
  ${PROJECT_SOURCE_DIR}/bindings/cli/render/lines_file.c)
add_executable(fuzz_replay fuzz/replay.c ${fuzz_readers_sources})
target_link_libraries(fuzz_replay PRIVATE sandbell_studio PkgConfig::CJSON)
add_test(NAME fuzz_replay COMMAND fuzz_replay
  ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus
  ${PROJECT_SOURCE_DIR}/tests/images/bad
  ${PROJECT_SOURCE_DIR}/tests/meshes/bad
  ${PROJECT_SOURCE_DIR}/tests/meshes/good)

# The same without libFuzzer: some random inputs in every run of the tests, and
# as many as are asked for by hand.
function(sandbell_random_inputs name count)
  add_executable(random_${name} fuzz/fuzz_${name}.c fuzz/random_inputs.c)
  target_link_libraries(random_${name} PRIVATE ${ARGN})
  add_test(NAME random_${name} COMMAND random_${name} ${count})
endfunction()
sandbell_random_inputs(world 200 sandbell_world)
sandbell_random_inputs(scene 40 sandbell_bindings)
sandbell_random_inputs(reload 6 sandbell_bindings)
set_source_files_properties(fuzz/fuzz_reload.c PROPERTIES
  COMPILE_DEFINITIONS SCRIPTS="${PROJECT_SOURCE_DIR}/scripts")
set_tests_properties(random_world PROPERTIES LABELS "slow;sanitize")
set_tests_properties(random_reload PROPERTIES LABELS "slow;sanitize"
  ENVIRONMENT "SANDBELL_LIBRARY=${PROJECT_SOURCE_DIR};SANDBELL_CACHE=off")

add_executable(random_mesh fuzz/random_mesh.c ${reader}/assimp.c
  ${fuzz_readers_sources})
target_link_libraries(random_mesh PRIVATE sandbell_studio PkgConfig::CJSON
  PkgConfig::ASSIMP)
add_dependencies(random_mesh sandbell-mesh-reader)
foreach(ending IN ITEMS obj stl glb)
  add_test(NAME random_mesh_${ending} COMMAND random_mesh
    ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus .${ending} 500)
  set_tests_properties(random_mesh_${ending} PROPERTIES LABELS slow)
endforeach()

if(SANDBELL_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "SANDBELL_FUZZ needs clang: "
      "-DCMAKE_C_COMPILER=clang; on Debian: apt-get install clang")
  endif()
  # All of our code is compiled for it. An empty list is NULL + 0, which clang
  # calls an overflow; what goes beyond a block the address sanitizer finds.
  target_compile_options(sandbell_options INTERFACE -g1 -O1
    -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize=pointer-overflow -fno-sanitize-recover=undefined)
  target_link_options(sandbell_options INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(sandbell_options INTERFACE
    FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
  # But the kernels of the audio thread: unrolled over whole vectors, they would
  # take minutes to compile. The preset asan checks them.
  foreach(kernel IN ITEMS bank/modal_kernel_portable bank/modal_kernel_avx2
      bank/modal_kernel_avx512 surface/surface_kernel_portable
      surface/surface_kernel_avx2 surface/surface_kernel_avx512
      ears/hear_kernel_portable ears/hear_kernel_avx2)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/runtime/dsp/${kernel}.c
      TARGET_DIRECTORY sandbell_rt APPEND PROPERTY COMPILE_OPTIONS
      -fno-sanitize=all -fno-sanitize-coverage=trace-pc-guard,inline-8bit-counters,trace-cmp,pc-table)
  endforeach()
  function(sandbell_fuzz name)
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL fuzz/fuzz_${name}.c)
    target_link_libraries(fuzz_${name} PRIVATE ${ARGN})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endfunction()
  sandbell_fuzz(world sandbell_world)
  sandbell_fuzz(scene sandbell_bindings)
  sandbell_fuzz(reload sandbell_bindings)
  # With the decoder of pictures, so that it is covered, too.
  sandbell_fuzz(readers sandbell_studio PkgConfig::CJSON)
  target_sources(fuzz_readers PRIVATE ${fuzz_readers_sources} fuzz/stb_code.c)
  target_include_directories(fuzz_readers SYSTEM PRIVATE ${STB_INCLUDE_DIRS})
  set_source_files_properties(fuzz/stb_code.c PROPERTIES COMPILE_OPTIONS -w)

  # All of them for FUZZ_SECONDS each; what they find is kept in the folder
  # found/ of the build.
  set(FUZZ_SECONDS 600 CACHE STRING "Seconds per target of fuzz_all")
  set(flags -max_total_time=${FUZZ_SECONDS} -timeout=30)
  set(commands "")
  foreach(name IN ITEMS world scene reload)
    list(APPEND commands
      COMMAND ${CMAKE_COMMAND} -E make_directory found/${name}
      COMMAND ${CMAKE_COMMAND} -E env SANDBELL_LIBRARY=${PROJECT_SOURCE_DIR}
        SANDBELL_CACHE=off $<TARGET_FILE:fuzz_${name}> ${flags} -artifact_prefix=found/${name}- found/${name})
  endforeach()
  foreach(name IN ITEMS image note sound modal gltf ply msh tet obj_numbers
      wire obj stl glb json lines_json lines_text)
    list(APPEND commands
      COMMAND ${CMAKE_COMMAND} -E make_directory found/${name}
      COMMAND ${CMAKE_COMMAND} -E env FUZZ_READER=${name}
        $<TARGET_FILE:fuzz_readers> ${flags} -artifact_prefix=found/${name}-
        found/${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus)
  endforeach()
  list(APPEND commands COMMAND studio_fuzz 500 20000)
  add_custom_target(fuzz_all ${commands}
    DEPENDS fuzz_readers fuzz_world fuzz_scene fuzz_reload studio_fuzz
      sandbell-mesh-reader
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} USES_TERMINAL VERBATIM)
endif()
