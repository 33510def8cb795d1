#pragma once

#include <map>
#include <memory>
#include <string>

#include "opass/ir/tensor.h"
#include "opass/support/file.h"
#include "opass/support/result.h"

namespace opass::onnxlib {

// The files of weights beside a model, mapped, each once. A location that leaves the model's folder
// (absolute, through "..", or through a link) is refused before anything is opened.
class ExternalFiles {
 public:
  // `folder` is empty when the model came from a stream: then every location is refused.
  explicit ExternalFiles(std::string folder) : folder_(std::move(folder)) {}

  // The file at `location`; `where` names the tensor that asks for it.
  Result<std::shared_ptr<const MappedFile>> Open(const std::string& location,
                                                 const std::string& where);

 private:
  Result<std::string> Resolve(const std::string& location, const std::string& where) const;

  std::string folder_;
  std::map<std::string, std::shared_ptr<const MappedFile>> files_;
};

}  // namespace opass::onnxlib
