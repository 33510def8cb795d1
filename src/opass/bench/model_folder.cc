#include "opass/bench/model_folder.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace opass::bench {
namespace {

namespace fs = std::filesystem;

std::map<std::string, frontends::ShapeBindings> ReadBindings(const std::string& folder) {
  std::map<std::string, frontends::ShapeBindings> bindings;
  std::ifstream stream(folder + "/flags.tsv");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t last_tab = line.rfind('\t');
    if (last_tab == std::string::npos) continue;
    frontends::ShapeBindings& of_model = bindings[line.substr(0, line.find('\t'))];
    std::stringstream words(line.substr(last_tab + 1));
    for (std::string flag, value; words >> flag >> value;) {
      (flag == "--shape" ? of_model.shapes : of_model.dims).push_back(value);
    }
  }
  return bindings;
}

}  // namespace

Result<std::vector<ModelFile>> ModelFiles(const std::string& folder,
                                          const std::vector<std::string>& only) {
  if (!fs::is_directory(folder)) {
    return InvalidInput("not a folder", folder, "'make models' fills models/");
  }
  const auto bindings = ReadBindings(folder);
  std::vector<ModelFile> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    const bool wanted = only.empty() || std::ranges::count(only, stem) > 0;
    if (entry.path().extension() != ".onnx" || !wanted) continue;
    const auto found = bindings.find(stem);
    files.push_back(
        {stem, entry.path(), found == bindings.end() ? frontends::ShapeBindings() : found->second});
  }
  std::ranges::sort(files, {}, &ModelFile::path);
  if (files.empty()) return InvalidInput("no models", folder, "run 'make models'");
  return files;
}

}  // namespace opass::bench
