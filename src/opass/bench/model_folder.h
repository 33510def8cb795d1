#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "opass/frontends/onnx/bind.h"
#include "opass/support/result.h"

namespace opass::bench {

// A model of a folder, and the flags that fix its dimensions: the last column of FOLDER/flags.tsv,
// which `make models` writes.
struct ModelFile {
  std::string name;  // of the file, without its extension
  std::filesystem::path path;
  frontends::ShapeBindings bindings;
};

// All ONNX models of the folder by path, or those named. Errors: no such folder, no models.
Result<std::vector<ModelFile>> ModelFiles(const std::string& folder,
                                          const std::vector<std::string>& only);

}  // namespace opass::bench
