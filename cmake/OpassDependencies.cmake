# Third-party libraries: all from the system's packages, but ONNX (tools/build_onnx.sh).
# First, because who misses this one misses the others as likely, and its message helps with all.
set(opass_onnx_targets "${OPASS_ONNX_PREFIX}/lib/cmake/ONNX/ONNXTargets.cmake")
if(NOT OPASS_ONNX_PREFIX OR NOT EXISTS "${opass_onnx_targets}")
  message(FATAL_ERROR "OPASS_ONNX_PREFIX ('${OPASS_ONNX_PREFIX}') does not hold the ONNX library. Run "
                      "'make build', which installs whatever is missing, or pass "
                      "-DOPASS_ONNX_PREFIX=$(tools/build_onnx.sh) once tools/setup.sh ran.")
endif()
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Protobuf REQUIRED)
find_package(ZLIB REQUIRED)

# ONNX's own config file asks for protobuf's, which Debian does not ship; its target file needs
# only the targets that FindProtobuf has just made.
include("${opass_onnx_targets}")
foreach(target ONNX::onnx ONNX::onnx_proto)
  if(TARGET ${target})
    # Warnings in other people's headers are not ours.
    get_target_property(dirs ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(dirs)
      set_target_properties(${target} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${dirs}")
    endif()
  endif()
endforeach()

if(OPASS_TESTS)
  find_package(GTest REQUIRED)
endif()
