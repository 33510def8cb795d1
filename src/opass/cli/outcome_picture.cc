#include "opass/cli/outcome_picture.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "opass/support/file.h"

namespace opass::cli {
namespace {

std::vector<std::string> OpLabels(const ir::Model& model, const analysis::PosedProblem& posed) {
  std::vector<std::string> labels;
  for (const ir::NodeId id : posed.node_of_op) {
    const ir::Node& node = model.graph.node(id);
    labels.push_back(fmt::format("{} '{}'", node.op_type, node.name));
  }
  return labels;
}

bool HasWorkspace(const analysis::PosedProblem& posed) {
  for (const memory::Op& op : posed.problem.ops) {
    if (op.workspace_bytes > 0) return true;
  }
  return false;
}

std::string Extension(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

}  // namespace

reports::Picture OutcomePicture(const Outcome& outcome) {
  const reports::Report& report = outcome.report;
  reports::Picture picture;
  picture.title = std::filesystem::path(report.model).filename().string();
  reports::PictureSide before = reports::MakeSide(outcome.before_posed.problem, outcome.before_plan,
                                                  outcome.before.step_bytes,
                                                  OpLabels(outcome.original, outcome.before_posed));
  before.title = "Original, in file order";
  before.caption =
      "The input's operators as they stand in the file; only the offsets are chosen by opass.";
  if (HasWorkspace(outcome.posed) && !HasWorkspace(outcome.before_posed)) {
    before.caption += " Kernel scratch is not counted here.";
  }
  reports::PictureSide after =
      reports::MakeSide(outcome.posed.problem, outcome.plan, outcome.schedule.step_bytes,
                        OpLabels(outcome.model, outcome.posed));
  after.title = "Planned";
  after.caption = fmt::format("{}; order by {}, offsets by {}.",
                              report.passes.empty() ? "The same operators, ordered by opass"
                                                    : "Cleaned up and ordered by opass",
                              report.scheduler, report.allocator);
  picture.sides.push_back(std::move(before));
  picture.sides.push_back(std::move(after));
  std::istringstream explanation(reports::Explanation(report));
  for (std::string line; std::getline(explanation, line);) picture.explanation.push_back(line);
  return picture;
}

Status CheckPicturePath(const std::string& path) {
  const std::string extension = Extension(path);
  if (path.empty() || extension == ".html" || extension == ".svg") return {};
  return InvalidInput("a picture is a .html or a .svg file", path, "--report picture.html");
}

Status WritePicture(const reports::Picture& picture, const std::string& path) {
  return WriteFileAtomically(path, Extension(path) == ".svg" ? reports::PictureToSvg(picture)
                                                             : reports::PictureToHtml(picture));
}

}  // namespace opass::cli
