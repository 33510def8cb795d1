#include "opass/cli/command.h"

namespace opass::cli {

#define X(name) extern const Command command_##name;
#include "cli_list.inc"
#undef X

namespace {
#define X(name) &command_##name,
constexpr const Command* kCommands[] = {
#include "cli_list.inc"
};
#undef X
}  // namespace

std::span<const Command* const> Commands() { return kCommands; }

}  // namespace opass::cli
