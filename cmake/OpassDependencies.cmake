# Third-party libraries: all from the system's packages, but ONNX (tools/build_onnx.sh).
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Protobuf REQUIRED)

if(NOT OPASS_ONNX_PREFIX)
  message(FATAL_ERROR "OPASS_ONNX_PREFIX is not set. Run 'make build', which sets up everything, or "
                      "pass -DOPASS_ONNX_PREFIX=$(tools/build_onnx.sh).")
endif()
# ONNX's own config file asks for protobuf's, which Debian does not ship; its target file needs
# only the targets that FindProtobuf has just made.
include("${OPASS_ONNX_PREFIX}/lib/cmake/ONNX/ONNXTargets.cmake")
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
  find_path(RAPIDCHECK_INCLUDE rapidcheck.h REQUIRED)
  find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
endif()
