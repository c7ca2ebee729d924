// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "event/event.h"
#include "graph/template.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace jitscope::cache {

/// Why memory did not have an executable, and which known template comes closest.
struct MissExplanation {
  event::MissReason reason = event::MissReason::NewFunction;
  base::TemplateId nearest; ///< none for a new function
  std::string difference;   ///< the fields that differ, e.g. "arg 0 dim 0: 64 -> 256; arg 0 dim 1: 64 -> 256"
};

/// The fields in which `wanted` differs from `known`, and the reason that they amount to: the first of new-arity, new-rank,
/// new-dtype, static-value and new-shape that applies, since each makes those after it unavoidable or minor. `distance` orders
/// candidates.
struct TemplateDifference {
  event::MissReason reason = event::MissReason::NewShape;
  std::string text;
  std::uint32_t distance = 0;
};
TemplateDifference differenceBetween(const graph::Template &known, const graph::Template &wanted);

/// Remembers every template that a function was ever compiled for, and whether its code is still there. Used under the owner's
/// lock.
class TemplateHistory {
public:
  /// `options` is the text of the compile options in force. `optionDifference` says in words how a known
  /// text differs from it.
  [[nodiscard]] MissExplanation explain(base::FunctionId function, const graph::Template &wanted, const std::string &options,
                                        const std::function<std::string(const std::string &known)> &optionDifference) const;

  void compiled(base::FunctionId function, base::TemplateId id, const graph::Template &tmpl, const std::string &options);
  /// `reason` is that of the eviction: "clear" becomes the miss reason `Cleared`, all else `Evicted`.
  void left(base::FunctionId function, base::TemplateId id, std::string_view options, std::string_view reason);

private:
  enum class State : std::uint8_t { Kept, Evicted, Cleared };
  struct Known {
    base::TemplateId id;
    graph::Template tmpl;
    std::string options;
    State state = State::Kept;
  };
  std::unordered_map<base::FunctionId, std::vector<Known>> m_known;
};

} // namespace jitscope::cache
