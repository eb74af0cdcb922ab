# The Python module: python/module bound by nanobind, and the package python/visviva around it.
#
# Made by scikit-build-core (pyproject.toml) or in a build folder of its own (`make python`): all code in it can be moved, and
# shows nothing but the module's entry, so that Python's other libraries cannot get in its way.
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT RESULT_VARIABLE nanobind_missing)
if(nanobind_missing)
  message(FATAL_ERROR "nanobind not found for ${Python_EXECUTABLE}: pip install nanobind")
endif()
find_package(nanobind CONFIG REQUIRED)

file(GLOB python_module_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/module/*.cpp)
nanobind_add_module(visviva_python STABLE_ABI NB_STATIC ${python_module_sources})
set_target_properties(visviva_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/visviva)
target_compile_definitions(visviva_python PRIVATE VISVIVA_VERSION="${PROJECT_VERSION}")
target_link_libraries(visviva_python PRIVATE visviva_app)
target_link_options(visviva_python PRIVATE -Wl,--exclude-libs,ALL)

install(TARGETS visviva_python LIBRARY DESTINATION visviva COMPONENT python)

# What editors and type checkers read.
nanobind_add_stub(visviva_python_stub MODULE _core OUTPUT ${CMAKE_BINARY_DIR}/python/visviva/_core.pyi
  PYTHON_PATH ${CMAKE_BINARY_DIR}/python/visviva DEPENDS visviva_python)
install(FILES ${CMAKE_BINARY_DIR}/python/visviva/_core.pyi DESTINATION visviva COMPONENT python)
