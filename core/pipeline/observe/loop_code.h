// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <utility>

namespace llvm {
class BasicBlock;
class DILocation;
class Instruction;
class Loop;
class MDNode;
} // namespace llvm

/// What the code of loops tells: where a loop is written, what its metadata says, how wide its vectors are.
namespace jitscope::pipeline {

/// The metadata of the loop that starts with `header`; null where it has none.
[[nodiscard]] const llvm::MDNode *loopIdOf(const llvm::BasicBlock &header);

/// Whether a pragma disables vectorization: it asks for vectors of one element. `id` may be null.
[[nodiscard]] bool isVectorizationDisabled(const llvm::MDNode *id);

/// Whether it is the vector body or the scalar remainder of a loop that was vectorized or interleaved, which say so in their
/// metadata. `id` may be null.
[[nodiscard]] bool isMarkedVectorized(const llvm::MDNode *id);

/// Where a loop is written: as LLVM's own remarks have it for a whole loop, `llvm::Loop::getStartLoc`; from its header alone. Null
/// without debug information.
[[nodiscard]] const llvm::DILocation *startOf(const llvm::BasicBlock &header);
[[nodiscard]] const llvm::DILocation *startOf(const llvm::Loop &loop);

/// The locations (line, column) of the code between a loop's header and its end; of a loop without metadata those of its header.
[[nodiscard]] std::set<std::pair<int, int>> locationsIn(const llvm::BasicBlock &header);

/// The elements of the widest vectors in a block, without those in `known`; 0: there are none.
[[nodiscard]] std::uint32_t lanesIn(const llvm::BasicBlock &block, const std::set<const llvm::Instruction *> &known = {});
[[nodiscard]] std::uint32_t lanesIn(const llvm::Loop &loop);

} // namespace jitscope::pipeline
