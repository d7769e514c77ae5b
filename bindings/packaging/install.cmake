# SPDX-License-Identifier: MIT
# What `cmake --install` puts where (GNUInstallDirs), and `cpack -G DEB`.
#
#   bin/sandbell                                 the program
#   libexec/sandbell/sandbell-mesh-reader        the process that reads meshes
#   share/sandbell/{scripts,models,textures}     scenes and what they name
#   share/sandbell/bindings/studio/page          the studio's page
#   share/sandbell/sandbell.d.lua                the Lua API for editors
#   share/man/man1/sandbell.1.gz                 printed by the program
#   share/{bash-completion,zsh}/...              printed by the program
#   share/doc/sandbell                           copyright, changelog
#   lib/libsandbell.so.0                         sandbell.h for other programs
#   include/sandbell.h, lib/libsandbell.{so,a}   to build them (bindings/library)
#   lib/{pkgconfig,cmake}
#
# The program finds libexec and share relative to itself (base/self_path.h), so
# any --prefix works.

# --- made at build time from the table of verbs -------------------------------
set(made ${CMAKE_BINARY_DIR}/made)
file(MAKE_DIRECTORY ${made})
foreach(text IN ITEMS man bash zsh)
  add_custom_command(OUTPUT ${made}/sandbell.${text}
    COMMAND sandbell help --${text} > ${made}/sandbell.${text}
    DEPENDS sandbell VERBATIM)
endforeach()
# -n: neither name nor time of the file, so that packages can be reproduced.
add_custom_command(OUTPUT ${made}/sandbell.1.gz
  COMMAND gzip -9nc ${made}/sandbell.man > ${made}/sandbell.1.gz
  DEPENDS ${made}/sandbell.man VERBATIM)
set(maintainer "Sandbell maintainers <maintainers@sandbell.invalid>")
configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog ${made}/changelog @ONLY)
add_custom_command(OUTPUT ${made}/changelog.gz
  COMMAND gzip -9nc ${made}/changelog > ${made}/changelog.gz
  DEPENDS ${made}/changelog VERBATIM)
add_custom_target(made_texts ALL DEPENDS ${made}/sandbell.1.gz
  ${made}/sandbell.bash ${made}/sandbell.zsh ${made}/changelog.gz)
# All that is installed.
add_dependencies(made_texts libsandbell libsandbell_archive)

# --- where it goes --------------------------------------------------------------
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
set(data ${CMAKE_INSTALL_DATADIR}/sandbell)
install(TARGETS sandbell RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS sandbell-mesh-reader
  RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/sandbell)
install(DIRECTORY scripts models textures DESTINATION ${data}
  PATTERN pictures EXCLUDE PATTERN guide EXCLUDE PATTERN "*.md" EXCLUDE)
install(DIRECTORY scripts/lessons DESTINATION ${data}/scripts)
install(DIRECTORY bindings/studio/page DESTINATION ${data}/bindings/studio
  PATTERN "*.json" EXCLUDE)
install(FILES bindings/sandbell.d.lua DESTINATION ${data})
install(FILES ${made}/sandbell.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/sandbell.bash RENAME sandbell
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright ${made}/changelog.gz
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Debian's own zsh looks for packages' functions in a folder of another name.
install(CODE "
  set(folder zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr\$\" AND EXISTS /etc/debian_version)
    set(folder zsh/vendor-completions)
  endif()
  file(INSTALL DESTINATION
    \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/\${folder}\"
    TYPE FILE RENAME _sandbell FILES ${made}/sandbell.zsh)")

# --- packages for Debian: sandbell, libsandbell0, libsandbell-dev ---------------
set(CPACK_PACKAGE_NAME sandbell)
set(CPACK_PACKAGE_VENDOR "the Sandbell authors")
set(CPACK_PACKAGE_CONTACT ${maintainer})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "sound simulation sandbox, scripted in Lua")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"A scene is a Lua file: what bodies are made of, where they are, and what
strikes, rolls and rubs against what. Sandbell computes how the bodies
vibrate and plays the sound in real time, or writes it to a file.

While a scene plays, saving one of its files changes the running sound
without a click. Bodies are bars, plates, disks, membranes, strings, rings
or any mesh; a rigid-body world provides the contacts.")
set(CPACK_GENERATOR DEB)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/deb_tools.cmake)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION sound)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# miniaudio opens these at run time; without them a scene runs silently. The
# studio serves the last three to its page.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libasound2, libpulse0, libjs-three, libjs-codemirror, fonts-dejavu-extra")
foreach(pair IN ITEMS library:libsandbell0 develop:libsandbell-dev)
  string(REPLACE : ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright COMPONENT ${component}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package})
endforeach()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library develop)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME sandbell)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsandbell0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# Its models and the reader of meshes come with the program.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "sandbell, libasound2, libpulse0")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
"The library: Sandbell for programs in C and C++: scenes, bodies, strikes,
contacts, the contact points of any physics engine, rendered on the caller's
audio thread.")
set(CPACK_DEBIAN_DEVELOP_PACKAGE_NAME libsandbell-dev)
set(CPACK_DEBIAN_DEVELOP_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOP_PACKAGE_DEPENDS "libsandbell0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOP_PACKAGE_RECOMMENDS "")
set(CPACK_DEBIAN_DEVELOP_DESCRIPTION
"What programs are built with that use libsandbell: sandbell.h, a static
archive, and files for pkg-config and CMake.")
include(CPack)
