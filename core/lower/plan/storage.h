// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/plan/schedule.h"
#include "lower/plan/scratch_plan.h"

#include <map>
#include <optional>

namespace jitscope::lower {

/// Memory for an intermediate result.
struct TemporaryBuffer {
  std::int64_t elementBytes = 0;             ///< of one element, known sizes multiplied in: all of it if there are no slots
  std::vector<std::uint32_t> sizeSlots = {}; ///< places of its other sizes in the array of sizes
  std::uint32_t firstStep = 0;
  std::uint32_t lastStep = 0;
  bool isOnStack = false;
  std::int64_t offset = 0; ///< in the scratch memory, of buffers with known size that are not on the stack

  [[nodiscard]] bool isStatic() const { return sizeSlots.empty(); }
};

/// Where the elements of a node are.
struct Location {
  enum class Kind : std::uint8_t { None, Input, Output, Temporary } kind = Kind::None;
  std::uint32_t index = 0; ///< of the input, the result or the temporary buffer
};

/// A result whose elements another place holds already.
struct ResultCopy {
  std::uint32_t result;
  graph::NodeIndex source; ///< a node in memory
};

/// The memory of everything that is not a scalar.
struct StoragePlan {
  std::vector<Location> locations; ///< by node
  std::vector<TemporaryBuffer> buffers;
  /// For results of calls that nobody reads: by call and result.
  std::map<std::pair<graph::NodeIndex, std::uint32_t>, std::uint32_t> unreadResults;
  /// For the values beside the indices, of argmax that accumulates in memory.
  std::map<graph::NodeIndex, std::uint32_t> bestValues;
  std::vector<ResultCopy> copies;
  std::vector<bool> resultIsRead; ///< by result: the function reads it back
  std::int64_t ownBytes = 0;      ///< of scratch memory for buffers with known sizes
};

/// All that is decided about a function before code is made.
struct FunctionPlan {
  FusionPlan fusion;
  std::vector<Step> steps;
  StoragePlan storage;
};
FunctionPlan planFunction(const graph::Graph &graph);

/// Whether neither the graph nor its callees touch an array, so that its function works in registers only.
bool isPureScalar(const graph::Graph &graph);

} // namespace jitscope::lower
