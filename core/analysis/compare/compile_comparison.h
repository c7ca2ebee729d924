// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::session {
class Database;
}

/// How long functions took to compile in two sessions.
namespace jitscope::analysis {

/// By what compiles of two sessions are matched.
struct CompileKey {
  std::string function;
  bool eager = false;
  std::string pipeline;
  std::uint32_t study = 0; ///< the study that compiled, by its number within the session; 0 for none

  friend auto operator<=>(const CompileKey &, const CompileKey &) = default;
};

/// The compiles of a function under a pipeline, by the signatures of their templates: how long each took.
using CompileDurations = std::map<CompileKey, std::map<std::string, std::vector<std::uint64_t>>>;

/// Functions of one name are taken together. Of a study the compile that was recorded in detail, which takes longer, does not count
/// where there are others.
[[nodiscard]] base::Result<CompileDurations> readCompileDurations(session::Database &database);

/// A function under a pipeline, or under one pipeline per session. It is shown but not judged, because a function compiles only a
/// few times in a run.
struct CompileComparison {
  CompileKey key;
  std::string contenderPipeline = {}; ///< where it is not the key's
  /// Templates that both compiled, which alone are compared; 0 if there are none, and the rest is of each side's own.
  std::size_t templates = 0;
  std::size_t baseCompiles = 0;
  std::size_t contenderCompiles = 0;
  double baseMedianNs = 0; ///< of all phases together; 0 without a compile
  double contenderMedianNs = 0;

  /// "deferred", "deferred / pre-link" where the contender's is another, "deferred (study 1)".
  [[nodiscard]] std::string pipelineLabel() const;
  /// The contender's median to the base's; empty without a template in common.
  [[nodiscard]] std::optional<double> ratio() const {
    return templates > 0 && baseMedianNs > 0 ? std::optional(contenderMedianNs / baseMedianNs) : std::nullopt;
  }
  /// Why there is no ratio: "not compiled in base", "not compiled in contender" or "other templates".
  [[nodiscard]] std::string_view whyNoRatio() const {
    return baseCompiles == 0 ? "not compiled in base" : contenderCompiles == 0 ? "not compiled in contender" : "other templates";
  }
};

/// What took longest in either session first. A function is matched with itself under the same pipeline; where each session
/// compiled it under one pipeline alone and these differ, it is all the same one function, and both are held against each other.
[[nodiscard]] std::vector<CompileComparison> compareCompiles(const CompileDurations &base, const CompileDurations &contender);

} // namespace jitscope::analysis
