# Arbitrary bytes for every loader of pictures and recordings. A test replays the
# corpus. -DSANDBELL_FUZZ=ON, with clang, builds the fuzzer, which extends it.
add_executable(fuzz_replay fuzz/replay.c fuzz/one_input.c)
target_link_libraries(fuzz_replay PRIVATE sandbell_store)
add_test(NAME fuzz_replay COMMAND fuzz_replay
  ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus
  ${PROJECT_SOURCE_DIR}/tests/images/bad)

# The same without libFuzzer: some random inputs in every run of the tests, and
# as many as are asked for by hand.
function(sandbell_random_inputs name count)
  add_executable(random_${name} fuzz/fuzz_${name}.c fuzz/random_inputs.c)
  target_link_libraries(random_${name} PRIVATE ${ARGN})
  add_test(NAME random_${name} COMMAND random_${name} ${count})
endfunction()
sandbell_random_inputs(world 200 sandbell_world)
sandbell_random_inputs(scene 40 sandbell_bindings)

if(SANDBELL_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "SANDBELL_FUZZ needs clang: "
      "-DCMAKE_C_COMPILER=clang; on Debian: apt-get install clang")
  endif()
  # All of its code is compiled for it, the decoder's too.
  add_executable(fuzz_media EXCLUDE_FROM_ALL
    fuzz/fuzz_media.c fuzz/one_input.c fuzz/stb_code.c
    ${PROJECT_SOURCE_DIR}/runtime/base/memory.c ${PROJECT_SOURCE_DIR}/runtime/base/status.c
    ${PROJECT_SOURCE_DIR}/runtime/media/image/image.c ${PROJECT_SOURCE_DIR}/runtime/media/image/image_whole.c
    ${PROJECT_SOURCE_DIR}/runtime/media/image/png_in.c ${PROJECT_SOURCE_DIR}/runtime/media/image/png_out.c
    ${PROJECT_SOURCE_DIR}/runtime/media/image/png16.c
    ${PROJECT_SOURCE_DIR}/runtime/media/sound_file.c ${PROJECT_SOURCE_DIR}/runtime/base/out_file.c
    ${PROJECT_SOURCE_DIR}/runtime/model/textures/texture.c ${PROJECT_SOURCE_DIR}/runtime/store/texture_read.c)
  set_source_files_properties(fuzz/stb_code.c PROPERTIES
    COMPILE_OPTIONS -w)
  target_compile_definitions(fuzz_media PRIVATE _GNU_SOURCE
    FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
  target_include_directories(fuzz_media PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(fuzz_media SYSTEM PRIVATE ${STB_INCLUDE_DIRS})
  target_compile_options(fuzz_media PRIVATE -g -O1
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined)
  target_link_options(fuzz_media PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_libraries(fuzz_media PRIVATE PkgConfig::SNDFILE PkgConfig::PNG m)

  # Worlds and scenes: the libraries are built for it, too. They are linked as
  # they are, so that all of their code is covered.
  target_compile_options(sandbell_options INTERFACE
    -g -fsanitize=fuzzer-no-link,address,undefined)
  target_link_options(sandbell_options INTERFACE -fsanitize=address,undefined)
  function(sandbell_fuzz name)
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL fuzz/fuzz_${name}.c)
    target_link_libraries(fuzz_${name} PRIVATE ${ARGN})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endfunction()
  sandbell_fuzz(world sandbell_world)
  sandbell_fuzz(scene sandbell_bindings)

  # All of them for FUZZ_SECONDS each; what they find is kept in the folder
  # found/ of the build.
  set(FUZZ_SECONDS 600 CACHE STRING "Seconds per target of fuzz_all")
  set(commands "")
  foreach(name IN ITEMS media world scene)
    list(APPEND commands
      COMMAND ${CMAKE_COMMAND} -E make_directory found/${name}
      COMMAND fuzz_${name} -max_total_time=${FUZZ_SECONDS} -timeout=30
        -artifact_prefix=found/${name}- found/${name})
  endforeach()
  add_custom_target(fuzz_all ${commands} DEPENDS fuzz_media fuzz_world fuzz_scene
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} USES_TERMINAL VERBATIM)
endif()
