# opass_library(NAME [DEPS target...] [TEST_DEPS target...] [REGISTRY MACRO_FILE])
#
# One folder, one target `opass_NAME`: every *.cc but *_test.cc. The tests of the folder become one
# program `NAME_test`. DEPS are the folders (and libraries) it may include: the floors of
# ARCHITECTURE.md, told to the linker.
#
# With REGISTRY, the folder registers by file name: every *.cc but registry.cc is written as a line
# X(file_name) into NAME_list.inc, which registry.cc expands. A file that does not define what its
# name promises is a link error that names it.
add_library(opass_options INTERFACE)
target_compile_features(opass_options INTERFACE cxx_std_20)
# Warnings are for those who build opass, not for those who use it.
target_compile_options(opass_options INTERFACE
                       "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on std::string's operator+ (GCC bug 105329).
  target_compile_options(opass_options INTERFACE $<BUILD_INTERFACE:-Wno-restrict>)
endif()
if(OPASS_WERROR)
  target_compile_options(opass_options INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(OPASS_SANITIZE)
  target_compile_options(opass_options INTERFACE -fsanitize=address,undefined
                                                 -fno-sanitize-recover=undefined
                                                 -fno-omit-frame-pointer -g1)
  target_link_options(opass_options INTERFACE -fsanitize=address,undefined)
endif()
target_include_directories(opass_options INTERFACE "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>"
                                                   "$<INSTALL_INTERFACE:include>")

function(opass_library name)
  cmake_parse_arguments(ARG "REGISTRY" "" "DEPS;TEST_DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(SORT sources)
  if(sources)
    add_library(opass_${name} STATIC ${sources})
    target_link_libraries(opass_${name} PUBLIC opass_options ${ARG_DEPS})
  else()
    add_library(opass_${name} INTERFACE)
    target_link_libraries(opass_${name} INTERFACE opass_options ${ARG_DEPS})
  endif()
  if(ARG_REGISTRY AND sources)
    set(list "")
    foreach(source ${sources})
      get_filename_component(stem "${source}" NAME_WE)
      set(header "${CMAKE_CURRENT_SOURCE_DIR}/${stem}.h")
      # A file with a header of its own is a helper of the folder, not an entry.
      if(NOT stem STREQUAL "registry" AND NOT EXISTS "${header}")
        string(APPEND list "X(${stem})\n")
      endif()
    endforeach()
    set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
    file(CONFIGURE OUTPUT "${generated}/${name}_list.inc" CONTENT "${list}" @ONLY)
    target_include_directories(opass_${name} PRIVATE "${generated}")
  endif()
  if(OPASS_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE opass_${name} ${ARG_TEST_DEPS}
                                               GTest::gtest_main)
    # What is tested is optimized; the tests themselves need not be, and compile twice as fast.
    target_compile_options(${name}_test PRIVATE -O0)
    add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1)
  endif()
endfunction()
