# Puts the licences of the libraries that a portable program brings along beside it, as Debian's packages have them. Run by
# `cmake --install` after the libraries.
cmake_policy(VERSION 3.25)
set(folder $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})
set(packages libhdf5-dev libaec-dev zlib1g-dev libasmjit-dev)  # linked into the program
file(GLOB libraries ${folder}/lib/visviva/*)
foreach(library IN LISTS libraries)
  cmake_path(GET library FILENAME name)
  execute_process(COMMAND dpkg-query --search */${name} OUTPUT_VARIABLE found ERROR_QUIET)
  if(found MATCHES "(^|\n)(lib[a-z][^:,]+)")  # lib32... has the same for other processors
    list(APPEND packages ${CMAKE_MATCH_2})
  endif()
endforeach()
list(REMOVE_DUPLICATES packages)
foreach(package IN LISTS packages)
  if(EXISTS /usr/share/doc/${package}/copyright)
    file(MAKE_DIRECTORY ${folder}/share/doc/visviva/licences)
    configure_file(/usr/share/doc/${package}/copyright ${folder}/share/doc/visviva/licences/${package} COPYONLY)
  endif()
endforeach()
