#include "opass/emitters/c_header.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace opass::emitters {
namespace {

memory::Problem TwoValues(const std::string& odd_name) {
  memory::Problem problem;
  problem.values.resize(2);
  problem.values[0].name = odd_name;
  problem.values[0].size_bytes = 64;
  problem.values[1].name = "y";
  problem.values[1].size_bytes = 64;
  problem.values[1].producer = memory::OpId(0);
  problem.values[1].is_output = true;
  problem.ops.resize(1);
  problem.ops[0].name = "relu";
  problem.ops[0].inputs = {memory::ValueId(0)};
  problem.ops[0].outputs = {memory::ValueId(1)};
  return problem;
}

memory::Plan PlanFor(const memory::Problem& problem) {
  memory::Plan plan;
  plan.arena_bytes = 128;
  plan.order = {memory::OpId(0)};
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    memory::Buffer buffer;
    buffer.value = memory::ValueId(i);
    buffer.offset_bytes = static_cast<std::int64_t>(i) * 64;
    buffer.size_bytes = 64;
    buffer.last = 1;
    plan.buffers.push_back(buffer);
  }
  return plan;
}

// Compiles the header in a C program that prints what it says of buffer 1.
std::string CompileAndRun(const std::string& header) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("opass_c_header_test" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "plan.h") << header;
  std::ofstream(folder / "main.c") << R"(#include <stdio.h>
#include "plan.h"
int main(void) {
  printf("%d %d %d %s %s", (int)NET_ARENA_BYTES, (int)net_buffers[NET_BUFFER_y].offset,
         (int)net_buffers[NET_BUFFER_y].alias_of, net_buffers[NET_BUFFER_y].name, net_order[0]);
  return 0;
}
)";
  const std::string program = (folder / "program").string();
  const std::string compile = "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -o " + program + " " +
                              (folder / "main.c").string();
  if (std::system(compile.c_str()) != 0) return "does not compile";
  const std::string output = (folder / "output").string();
  if (std::system((program + " > " + output).c_str()) != 0) return "does not run";
  std::ifstream stream(output);
  std::string line;
  std::getline(stream, line);
  std::filesystem::remove_all(folder);
  return line;
}

TEST(CHeader, CompilesAsCAndSaysWhatThePlanSays) {
  const memory::Problem problem = TwoValues("x");
  EXPECT_EQ(CompileAndRun(CHeader(problem, PlanFor(problem), "net")), "128 64 -1 y relu");
}

TEST(CHeader, OddNamesCannotBreakTheProgram) {
  const memory::Problem problem = TwoValues("1/x:0 \"\\\n*/ ?\?/ \xc3\xa9");
  EXPECT_EQ(CompileAndRun(CHeader(problem, PlanFor(problem), "net")), "128 64 -1 y relu");
}

TEST(CHeader, NamesWhatIsNotInTheArena) {
  memory::Problem problem = TwoValues("x");
  problem.values[0].in_arena = false;
  const std::string header = CHeader(problem, PlanFor(problem), "net");
  EXPECT_NE(header.find("#define NET_NUM_OUTSIDE 1\n"), std::string::npos);
  EXPECT_EQ(CompileAndRun(header), "128 64 -1 y relu");
}

TEST(CHeader, SaysWhoseBytesABufferShares) {
  const memory::Problem problem = TwoValues("x");
  memory::Plan plan = PlanFor(problem);
  plan.buffers[1].offset_bytes = 0;
  plan.buffers[1].alias_of = memory::ValueId(0);
  plan.buffers[1].alias_kind = memory::AliasKind::kInPlace;
  EXPECT_EQ(CompileAndRun(CHeader(problem, plan, "net")), "128 0 0 y relu");
}

TEST(CHeader, NamesThatBecomeTheSameIdentifierAreToldApart) {
  memory::Problem problem;
  memory::Plan plan;
  for (const char* name : {"a_b__2", "a.b", "a/b"}) {
    memory::Buffer buffer;
    buffer.value = memory::ValueId(problem.values.size());
    problem.values.emplace_back().name = name;
    plan.buffers.push_back(buffer);
  }
  const std::string text = CHeader(problem, plan, "net");
  EXPECT_NE(text.find("NET_BUFFER_a_b 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("NET_BUFFER_a_b__2__2 2\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace opass::emitters
