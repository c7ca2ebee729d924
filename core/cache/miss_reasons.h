// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "cache/template_index.h"
#include "event/event.h"
#include "graph/template.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jitscope::cache {

/// Why memory did not have an executable, and which known template comes closest.
struct MissExplanation {
  event::MissReason reason = event::MissReason::NewFunction;
  base::TemplateId nearest; ///< none for a new function
  std::string difference;   ///< the fields that differ, e.g. "arg 0 dim 0: 64 -> 256; arg 0 dim 1: 64 -> 256"
};

/// Remembers every template that a function was ever compiled for, and whether its code is still there. Each member takes a few
/// microseconds, however many templates there are. Used under the owner's lock.
class TemplateHistory {
public:
  /// Why `wanted`, whose id is `id`, is not in memory. Ids are those of `IdRegistry`: equal templates of a function have equal ids.
  /// `options` is the text of the compile options in force. `optionDifference` says in words how a known text differs from it.
  [[nodiscard]] MissExplanation explain(base::FunctionId function, base::TemplateId id, const graph::Template &wanted,
                                        const std::string &options,
                                        const std::function<std::string(const std::string &known)> &optionDifference) const;

  void compiled(base::FunctionId function, base::TemplateId id, const graph::Template &tmpl, const std::string &options);
  /// `Clear` becomes the miss reason `Cleared`, every other reason `Evicted`.
  void left(base::FunctionId function, base::TemplateId id, std::string_view options, event::EvictionReason reason);

private:
  enum class State : std::uint8_t { Kept, Evicted, Cleared };
  /// A template under one set of options.
  struct Known {
    base::TemplateId id;
    State state = State::Kept;
    const std::string *options = nullptr; ///< in `m_options`
    graph::Template tmpl;
    std::optional<TemplateIndex::Row> previous; ///< the same template under options compiled earlier
  };
  struct Function {
    TemplateIndex index;
    std::vector<Known> known;                                        ///< by the index's rows
    std::unordered_map<base::TemplateId, TemplateIndex::Row> latest; ///< of each template, under whatever options
  };
  static std::optional<TemplateIndex::Row> rowOf(const Function &function, base::TemplateId id, std::string_view options);

  std::set<std::string, std::less<>> m_options;
  std::unordered_map<base::FunctionId, Function> m_functions;
};

} // namespace jitscope::cache
