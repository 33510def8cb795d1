# The library without models for other projects (docs/library.md): static libraries, the public
# headers and a CMake package, so that find_package(opass) gives opass::schedule. Its own install
# component, `library`; the installed folder may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(opass_schedule INTERFACE)
target_link_libraries(opass_schedule INTERFACE opass_planner)

# The target and all targets of ours that it links to.
function(opass_collect target result)
  set(all ${${result}})
  if(NOT target IN_LIST all)
    list(APPEND all ${target})
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    foreach(link ${links})
      if(link MATCHES "^opass_")
        opass_collect(${link} all)
      endif()
    endforeach()
  endif()
  set(${result} ${all} PARENT_SCOPE)
endfunction()

set(opass_library_targets "")
opass_collect(opass_schedule opass_library_targets)
foreach(target ${opass_library_targets})
  string(REPLACE "opass_" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
endforeach()

set(opass_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/opass")
install(TARGETS ${opass_library_targets} EXPORT opass
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/opass" COMPONENT library)
install(EXPORT opass NAMESPACE opass:: DESTINATION "${opass_package_dir}" COMPONENT library
        FILE opass-targets.cmake)
install(FILES "${CMAKE_SOURCE_DIR}/src/opass/schedule.h" DESTINATION include/opass
        COMPONENT library)
foreach(folder support memory planner)
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/src/opass/${folder}" DESTINATION include/opass
          COMPONENT library FILES_MATCHING PATTERN "*.h" PATTERN testing EXCLUDE)
endforeach()
foreach(header allocate_buffers allocate_list blocks buffer_list buffer_list_csv check_layout)
  install(FILES "${CMAKE_SOURCE_DIR}/src/opass/allocators/${header}.h"
          DESTINATION include/opass/allocators COMPONENT library)
endforeach()
configure_package_config_file("${CMAKE_SOURCE_DIR}/cmake/opass-config.cmake.in"
                              "${CMAKE_BINARY_DIR}/opass-config.cmake"
                              INSTALL_DESTINATION "${opass_package_dir}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/opass-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/opass-config.cmake"
              "${CMAKE_BINARY_DIR}/opass-config-version.cmake"
        DESTINATION "${opass_package_dir}" COMPONENT library)
