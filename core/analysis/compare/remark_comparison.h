// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {

/// What one pass said about one line under two pipelines, as far as it is not the same.
struct RemarkDifference {
  std::string file;
  int line = 0; ///< 0 without debug information
  std::string pass;
  std::vector<event::Remark> left; ///< each message once, what passed first
  std::vector<event::Remark> right;
};

/// What of a remark's message counts when two are compared: without the costs that the inliner names.
[[nodiscard]] std::string_view comparedMessage(std::string_view pass, std::string_view message);

/// The differences of remarks about a function, by line and pass. Costs that the inliner names do not count.
[[nodiscard]] std::vector<RemarkDifference> compareRemarks(const std::vector<event::Remark> &left,
                                                           const std::vector<event::Remark> &right);

/// The difference that matters most for speed: a vectorizer's before any other, what passed on one side only before what was said
/// otherwise. Null for none.
[[nodiscard]] const RemarkDifference *mostTelling(const std::vector<RemarkDifference> &differences);

/// The most informative remark of one side: what passed, or else the longest reason. Null for none.
[[nodiscard]] const event::Remark *mostTelling(const std::vector<event::Remark> &remarks);

} // namespace jitscope::analysis
