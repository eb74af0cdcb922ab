# What `cmake --install` and `make package` put where.
#
# | component   | what it is                                                             | goes into             |
# |-------------|------------------------------------------------------------------------|-----------------------|
# | program     | the program, stripped, with its libraries from the system              | visviva.deb           |
# | portable    | the same with libraries of its own beside it, for any place            | visviva.tar.gz        |
# | documents   | manual page, completions, examples, licence                            | both                  |
# | development | library, public headers, CMake package                                 | libvisviva-dev.deb    |
include(GNUInstallDirs)

# ---- The program ---------------------------------------------------------------------------------

# CMake's own way to strip is an option of the one who installs; here it is always done.
find_program(VISVIVA_STRIP strip)
install(TARGETS visviva_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
function(strip_installed component file)
  if(VISVIVA_STRIP)
    install(CODE "execute_process(COMMAND \"${VISVIVA_STRIP}\" ${ARGN} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\")"
            COMPONENT ${component})
  endif()
endfunction()
strip_installed(program ${CMAKE_INSTALL_BINDIR}/visviva)

# ---- Manual page and completions, from the program's own table -----------------------------------

set(generated ${CMAKE_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${generated}/visviva.1 ${generated}/visviva.bash ${generated}/_visviva ${generated}/visviva.fish
  COMMAND visviva_cli manual > ${generated}/visviva.1
  COMMAND visviva_cli completions bash > ${generated}/visviva.bash
  COMMAND visviva_cli completions zsh > ${generated}/_visviva
  COMMAND visviva_cli completions fish > ${generated}/visviva.fish
  DEPENDS visviva_cli VERBATIM)
add_custom_target(visviva_documents ALL DEPENDS ${generated}/visviva.1)
install(FILES ${generated}/visviva.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT documents)
install(FILES ${generated}/visviva.bash RENAME visviva
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT documents)
install(FILES ${generated}/_visviva DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT documents)
install(FILES ${generated}/visviva.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT documents)

file(GLOB example_models CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/*.viva)
install(FILES ${example_models} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT documents)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents)

# ---- Library, headers and CMake package ----------------------------------------------------------

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/visviva)
install(TARGETS visviva EXPORT visviva_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
strip_installed(development ${CMAKE_INSTALL_LIBDIR}/libvisviva.a --strip-debug)
install(EXPORT visviva_targets FILE visviva-targets.cmake NAMESPACE visviva:: DESTINATION ${package_folder}
        COMPONENT development)

install(FILES ${CMAKE_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libvisviva-dev
        COMPONENT development)

# The public headers and what they include: the rest stays at home. Found when installing, since it changes with the sources.
install(CODE "set(SOURCE_FOLDER \"${CMAKE_SOURCE_DIR}/src\")\nset(HEADER_FOLDER \"${CMAKE_INSTALL_INCLUDEDIR}\")"
        COMPONENT development)
install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/install_headers.cmake COMPONENT development)

# The names of the libraries, without this machine's folders.
set(other_libraries ${PUGIXML_LIBRARY} ${ZLIB_LIBRARY})
if(ASMJIT_INCLUDE_DIR AND ASMJIT_LIBRARY)
  list(APPEND other_libraries ${ASMJIT_LIBRARY})
endif()
set(library_names)
foreach(library IN LISTS ARB_LIBRARY FLINT_LIBRARY GMP_LIBRARY HDF5_LIBRARY other_libraries)
  if(library)
    cmake_path(GET library STEM name)
    string(REGEX REPLACE "^lib" "" name ${name})
    list(APPEND library_names ${name})
  endif()
endforeach()
list(JOIN library_names " " VISVIVA_LIBRARY_NAMES)

include(CMakePackageConfigHelpers)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/visviva-config.cmake.in ${generated}/visviva-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${generated}/visviva-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/visviva-config.cmake ${generated}/visviva-config-version.cmake
        DESTINATION ${package_folder} COMPONENT development)

# ---- A program for any place ---------------------------------------------------------------------

# The same code with HDF5 in it, whose shared library would bring a web client along, and with the other libraries
# in a folder beside it. RPATH rather than RUNPATH: it is for libraries of libraries, too.
set(static_libraries)
set(has_static_libraries TRUE)
foreach(name hdf5_serial sz aec z)
  find_library(VISVIVA_STATIC_${name} NAMES lib${name}.a)
  list(APPEND static_libraries ${VISVIVA_STATIC_${name}})
  if(NOT VISVIVA_STATIC_${name})
    set(has_static_libraries FALSE)
  endif()
endforeach()
if(has_static_libraries)
  add_executable(visviva_portable EXCLUDE_FROM_ALL ${source_root}/app/cli/main.cpp)
  set_target_properties(visviva_portable PROPERTIES
    OUTPUT_NAME visviva RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/portable INSTALL_RPATH "\$ORIGIN/../lib/visviva")
  target_include_directories(visviva_portable PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_definitions(visviva_portable PRIVATE VISVIVA_VERSION="${PROJECT_VERSION}")
  add_dependencies(visviva_portable visviva visviva_app_objects)
  target_link_options(visviva_portable PRIVATE -Wl,--disable-new-dtags)
  target_link_libraries(visviva_portable PRIVATE
    $<TARGET_FILE:visviva_app_objects> $<TARGET_FILE:visviva> ${static_libraries} visviva_numbers fmt::fmt
    ${other_libraries} ${CMAKE_DL_LIBS})
  set_property(TARGET visviva_portable APPEND PROPERTY LINK_DEPENDS
    $<TARGET_FILE:visviva_app_objects> $<TARGET_FILE:visviva>)
  install(TARGETS visviva_portable RUNTIME_DEPENDENCY_SET portable_libraries
          RUNTIME DESTINATION bin COMPONENT portable EXCLUDE_FROM_ALL)
  install(RUNTIME_DEPENDENCY_SET portable_libraries
          PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so"
          LIBRARY DESTINATION lib/visviva COMPONENT portable EXCLUDE_FROM_ALL)
  install(CODE "execute_process(COMMAND \"${VISVIVA_STRIP}\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/visviva\")"
          COMPONENT portable EXCLUDE_FROM_ALL)
  install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/install_licences.cmake COMPONENT portable EXCLUDE_FROM_ALL)
else()
  add_custom_target(visviva_portable
    COMMAND ${CMAKE_COMMAND} -E echo "no portable program: HDF5, szip, libaec and zlib are needed as static libraries"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()

# ---- Packages ------------------------------------------------------------------------------------

set(CPACK_PACKAGE_NAME visviva)
set(CPACK_PACKAGE_VENDOR "The Visviva developers")
set(CPACK_PACKAGE_CONTACT "The Visviva developers <noreply@visviva.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "equations of motion, and simulations that prove themselves")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/package_options.cmake)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB TGZ)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_PROGRAM_GROUP tool)
set(CPACK_COMPONENT_DOCUMENTS_GROUP tool)
set(CPACK_COMPONENT_DEVELOPMENT_GROUP library)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME visviva)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS libsundials-dev)  # loaded when one of its methods is asked for
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libvisviva-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_GROUP_TOOL_DESCRIPTION "The program visviva: derives, proves and simulates mechanisms described in text.")
set(CPACK_COMPONENT_GROUP_LIBRARY_DESCRIPTION "The library of visviva with its headers, for programs in C++20.")
# What the static library asks for in turn, by the packages that this one was built with.
set(development_packages libgmp-dev libflint-dev libfmt-dev libeigen3-dev libhdf5-dev libpugixml-dev zlib1g-dev)
if(ARB_LIBRARY)
  list(APPEND development_packages libflint-arb-dev)
endif()
if(ASMJIT_LIBRARY)
  list(APPEND development_packages libasmjit-dev)
endif()
list(JOIN development_packages ", " CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS)
include(CPack)
