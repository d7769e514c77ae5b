# Any bytes at all for every loader of pictures and recordings. The corpus is
# replayed by a test; -DSANDBELL_FUZZ=ON, with clang, builds what looks for more.
add_executable(fuzz_replay tests/fuzz/replay.c tests/fuzz/one_input.c)
target_link_libraries(fuzz_replay PRIVATE sandbell_store)
add_test(NAME fuzz_replay COMMAND fuzz_replay
  ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus
  ${PROJECT_SOURCE_DIR}/tests/images/bad)

if(SANDBELL_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "SANDBELL_FUZZ needs clang: "
      "-DCMAKE_C_COMPILER=clang; on Debian: apt-get install clang")
  endif()
  # All of its code is compiled for it, the decoder's too.
  add_executable(fuzz_media EXCLUDE_FROM_ALL
    tests/fuzz/fuzz_media.c tests/fuzz/one_input.c tests/fuzz/stb_code.c
    runtime/base/memory.c runtime/base/status.c
    runtime/media/image.c runtime/media/image_whole.c
    runtime/media/sound_file.c runtime/media/out_file.c
    runtime/model/texture.c runtime/store/texture_read.c)
  set_source_files_properties(tests/fuzz/stb_code.c PROPERTIES
    COMPILE_OPTIONS -w)
  target_compile_definitions(fuzz_media PRIVATE _GNU_SOURCE
    FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
  target_include_directories(fuzz_media PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(fuzz_media SYSTEM PRIVATE ${STB_INCLUDE_DIRS})
  target_compile_options(fuzz_media PRIVATE -g -O1
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined)
  target_link_options(fuzz_media PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_libraries(fuzz_media PRIVATE PkgConfig::SNDFILE m)
endif()
