#pragma once

#include <cstdint>

#include "opass/bench/families/family_builder.h"

// The families, by file. `size` is about the number of operators.
namespace opass::bench {

// random_wired.cc: separable convolutions wired by a random graph (Xie et al. 2019).
void BuildWattsStrogatz(FamilyBuilder& b, std::int64_t size);
void BuildWattsStrogatzRandomSizes(FamilyBuilder& b, std::int64_t size);
void BuildBarabasiAlbert(FamilyBuilder& b, std::int64_t size);
void BuildErdosRenyi(FamilyBuilder& b, std::int64_t size);

// layers.cc: layers of random operators that read the layers before.
void BuildLayered(FamilyBuilder& b, std::int64_t size);
void BuildLayeredLocal(FamilyBuilder& b, std::int64_t size);

// convolutional.cc
void BuildResNet(FamilyBuilder& b, std::int64_t size);
void BuildTrainResNet(FamilyBuilder& b, std::int64_t size);
void BuildTrainChain(FamilyBuilder& b, std::int64_t size);
void BuildDenseNet(FamilyBuilder& b, std::int64_t size);
void BuildUNet(FamilyBuilder& b, std::int64_t size);
void BuildInception(FamilyBuilder& b, std::int64_t size);

// nas_cells.cc: cells found by architecture search.
void BuildNasCell(FamilyBuilder& b, std::int64_t size);
void BuildTrainNas(FamilyBuilder& b, std::int64_t size);

// sequence.cc
void BuildHeads(FamilyBuilder& b, std::int64_t size);
void BuildMixtureOfExperts(FamilyBuilder& b, std::int64_t size);
void BuildLstm(FamilyBuilder& b, std::int64_t size);
void BuildMultitask(FamilyBuilder& b, std::int64_t size);

// lattices.cc: shapes of pebbling theory.
void BuildButterfly(FamilyBuilder& b, std::int64_t size);
void BuildPyramid(FamilyBuilder& b, std::int64_t size);
void BuildGrid(FamilyBuilder& b, std::int64_t size);

// trees.cc
void BuildInTree(FamilyBuilder& b, std::int64_t size);
void BuildOutTree(FamilyBuilder& b, std::int64_t size);
void BuildSeriesParallel(FamilyBuilder& b, std::int64_t size);

}  // namespace opass::bench
