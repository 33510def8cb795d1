#include "opass/bench/families/families.h"

#include <algorithm>
#include <string>

#include "opass/bench/families/builders.h"
#include "opass/bench/families/family_builder.h"

namespace opass::bench {
namespace {

constexpr Family kFamilies[] = {
    {"ws", "randomly wired net, Watts-Strogatz", false, BuildWattsStrogatz},
    {"ba", "randomly wired net, Barabasi-Albert", false, BuildBarabasiAlbert},
    {"er", "randomly wired net, near neighbours", false, BuildErdosRenyi},
    {"layered", "layers of random operators", true, BuildLayered},
    {"layloc", "layers whose operators read neighbours", true, BuildLayeredLocal},
    {"nascell", "cells of an architecture search", true, BuildNasCell},
    {"resnet", "residual blocks", true, BuildResNet},
    {"densenet", "dense blocks", true, BuildDenseNet},
    {"unet", "encoders and decoders with skips", true, BuildUNet},
    {"inception", "parallel branches", true, BuildInception},
    {"heads", "attention, head by head", true, BuildHeads},
    {"trainchain", "training step of a chain", true, BuildTrainChain},
    {"trainresnet", "training step of residual blocks", true, BuildTrainResNet},
    {"trainnas", "training step of cells", true, BuildTrainNas},
    {"butterfly", "fast Fourier transform", false, BuildButterfly},
    {"pyramid", "pyramid", false, BuildPyramid},
    {"intree", "tree towards the root", false, BuildInTree},
    {"outtree", "tree away from the root", false, BuildOutTree},
    {"sp", "series-parallel graph", false, BuildSeriesParallel},
    {"grid", "grid", false, BuildGrid},
    {"moe", "mixture of experts", true, BuildMixtureOfExperts},
    {"multitask", "trunk with many heads", true, BuildMultitask},
    {"lstm", "two LSTM layers, unrolled", true, BuildLstm},
    {"wsrand", "randomly wired net, random sizes", false, BuildWattsStrogatzRandomSizes},
};

}  // namespace

std::span<const Family> Families() { return kFamilies; }

const Family* FindFamily(std::string_view name) {
  const auto* found = std::ranges::find(kFamilies, name, &Family::name);
  return found == std::end(kFamilies) ? nullptr : found;
}

memory::Problem MakeMember(const Family& family, std::int64_t size, std::uint64_t seed,
                           bool in_place) {
  std::string name(family.name);
  name += "_" + std::to_string(size) + "_s" + std::to_string(seed);
  if (in_place) name += ".ip";
  FamilyBuilder builder(std::move(name), seed, in_place);
  family.build(builder, size);
  return builder.Finish();
}

}  // namespace opass::bench
