// Blocks of the image moved to the batch or to the channels and back. Sizes are divided as TVM
// does, downwards: what is smaller than a block becomes a tensor without elements.
#include <fmt/format.h>

#include <algorithm>

#include "opass/frontends/relay/operators.h"
#include "opass/support/bytes.h"

namespace opass::frontends::relay {
namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

// The block along the dimensions behind the batch; a fault when it is none.
Dims ReadBlock(Call& call, std::size_t rank) {
  const Dims block = call.Ints("block_shape").value_or(Dims{});
  if (block.empty() || block.size() + 1 > rank || std::ranges::min(block) < 1 || !Product(block)) {
    call.Fail("'block_shape' does not fit the data");
    return {};
  }
  return block;
}

// A tensor without elements: nothing of the argument is read.
Item Empty(Call& call, const Dims& dims) {
  return call.builder().Filled(call.builder().Int64s(dims), dims, call.ElementOf(0), 0);
}

void Append(Dims& dims, Dims::const_iterator begin, Dims::const_iterator end) {
  dims.insert(dims.end(), begin, end);
}

// The axes from the number of those already listed up to the rank.
void AppendRest(Dims& permutation, std::size_t rank) {
  for (std::size_t i = permutation.size(); i < rank; ++i) {
    permutation.push_back(static_cast<std::int64_t>(i));
  }
}

// What batch_to_space_nd makes of the data: its shape before and after cropping, and the Slice's
// parameters.
struct Crop {
  Dims grown;
  Dims result;
  Dims begins;
  Dims ends;
  Dims axes;
};

Crop ReadCrop(Call& call, const Dims& dims, const Dims& block) {
  const Pairs crops = call.Pairs("crops", block.size());
  Crop crop;
  if (call.failed()) return crop;
  const std::int64_t batch = dims[0] / *Product(block);
  crop.grown = {batch};
  crop.result = {batch};
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::int64_t size = CheckedMul(dims[i + 1], block[i]).value_or(kMaxBytes + 1);
    if (size > kMaxBytes || crops[i].first + crops[i].second > size) {
      call.Fail("'crops' does not fit the data");
      return crop;
    }
    crop.grown.push_back(size);
    crop.begins.push_back(crops[i].first);
    crop.ends.push_back(size - crops[i].second);
    crop.axes.push_back(static_cast<std::int64_t>(i + 1));
    crop.result.push_back(crop.ends.back() - crop.begins.back());
  }
  const auto rest = dims.begin() + static_cast<std::ptrdiff_t>(block.size()) + 1;
  Append(crop.grown, rest, dims.end());
  Append(crop.result, rest, dims.end());
  return crop;
}

// [n, h, w, ...] -> [b0, b1, n/(b0*b1), h, w, ...] -> [n/(b0*b1), h, b0, w, b1, ...] -> cropped
Item BatchToSpace(Call& call) {
  Builder& builder = call.builder();
  const Dims dims = call.DimsOf(0);
  const Dims block = ReadBlock(call, dims.size());
  const Crop crop = ReadCrop(call, dims, block);
  if (call.failed()) return {};
  if (Product(crop.result) == 0) return Empty(call, crop.result);
  if (dims[0] % *Product(block) != 0) return call.Fail("the batch is no multiple of the block");
  const auto count = static_cast<std::int64_t>(block.size());
  Dims split = block;
  split.push_back(crop.grown[0]);
  Append(split, dims.begin() + 1, dims.end());
  Dims permutation = {count};
  for (std::int64_t i = 0; i < count; ++i) {
    permutation.insert(permutation.end(), {count + 1 + i, i});
  }
  AppendRest(permutation, split.size());
  const ir::ValueId whole = builder.Reshape(
      builder.Transpose(builder.Reshape(call.argument(0), split), permutation), crop.grown);
  if (crop.grown == crop.result) return whole;
  return builder.Add(
      "Slice",
      {whole, builder.Int64s(crop.begins), builder.Int64s(crop.ends), builder.Int64s(crop.axes)},
      call.ElementOf(0), crop.result);
}

// The data with a border, if there is one; a fault where its size is no multiple of the block.
ir::ValueId Padded(Call& call, const Dims& block) {
  Builder& builder = call.builder();
  const Pairs paddings = call.Pairs("paddings", block.size());
  const double fill = call.Float("pad_value", 0);
  const Dims dims = call.DimsOf(0);
  if (call.failed()) return call.argument(0);
  Dims padded = dims;
  Dims pads(2 * dims.size(), 0);
  for (std::size_t i = 0; i < block.size(); ++i) {
    pads[i + 1] = paddings[i].first;
    pads[dims.size() + i + 1] = paddings[i].second;
    padded[i + 1] += paddings[i].first + paddings[i].second;
    if (padded[i + 1] % block[i] != 0) call.Fail("the data is no multiple of the block");
  }
  if (padded == dims || call.failed()) return call.argument(0);
  const ir::ValueId value = builder.Scalar(call.ElementOf(0), fill);
  return builder.Add("Pad", {call.argument(0), builder.Int64s(pads), value}, call.ElementOf(0),
                     padded);
}

// padded -> [n, h/b0, b0, w/b1, b1, ...] -> [b0, b1, n, h/b0, w/b1, ...] -> [b0*b1*n, h/b0, ...]
Item SpaceToBatch(Call& call) {
  Builder& builder = call.builder();
  const Dims block = ReadBlock(call, call.DimsOf(0).size());
  const ir::ValueId data = Padded(call, block);
  if (call.failed()) return {};
  const Dims padded = builder.DimsOf(data);
  const auto batch = CheckedMul(padded[0], *Product(block));
  if (!batch) return call.Fail("the result is too large");
  Dims split = {padded[0]};
  Dims result = {*batch};
  Dims permutation;
  Dims outer = {0};
  for (std::size_t i = 0; i < block.size(); ++i) {
    result.push_back(padded[i + 1] / block[i]);
    split.insert(split.end(), {result.back(), block[i]});
    outer.push_back(static_cast<std::int64_t>(2 * i + 1));
    permutation.push_back(static_cast<std::int64_t>(2 * i + 2));
  }
  const auto rest = padded.begin() + static_cast<std::ptrdiff_t>(block.size()) + 1;
  Append(split, rest, padded.end());
  Append(result, rest, padded.end());
  Append(permutation, outer.begin(), outer.end());
  AppendRest(permutation, split.size());
  return builder.Reshape(builder.Transpose(builder.Reshape(data, split), permutation), result);
}

Item DepthToSpace(Call& call) {
  const std::int64_t block = call.Int("block_size", 1);
  call.Expect("layout", "NCHW");
  const std::string mode = call.Text("mode", "DCR");
  call.ExpectRank(0, 4);
  if (block < 1 || block > 1 << 15) call.Fail("'block_size' is out of range");
  if (mode != "DCR" && mode != "CRD") call.Fail(fmt::format("mode=\"{}\" is not known", mode));
  if (call.failed()) return {};
  const Dims dims = call.DimsOf(0);
  const Dims result = {dims[0], dims[1] / (block * block), dims[2] * block, dims[3] * block};
  if (Product(result) == 0) return Empty(call, result);
  if (dims[1] % (block * block) != 0) return call.Fail("the channels are no multiple of the block");
  return call.builder().Add("DepthToSpace", {call.argument(0)}, call.ElementOf(0), result,
                            {{"blocksize", block}, {"mode", mode}});
}

constexpr Operator kRows[] = {
    {"nn.batch_to_space_nd", 1, 1, BatchToSpace},
    {"nn.depth_to_space", 1, 1, DepthToSpace},
    {"nn.space_to_batch_nd", 1, 1, SpaceToBatch},
};

}  // namespace

std::span<const Operator> BlockOperators() { return kRows; }

}  // namespace opass::frontends::relay
