// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/activity.h"

#include <optional>
#include <string>
#include <string_view>

namespace jitscope::app {

/// How a child process tells its parent, on its standard output, what it is compiling: one line of JSON for each change, without
/// the newline; empty: nothing of note any more.
[[nodiscard]] std::string activityLine(const std::optional<event::Activity> &activity);

/// What such a line says. The outer one is empty for a line that is something else, the inner one where nothing is going on.
[[nodiscard]] std::optional<std::optional<event::Activity>> activityFromLine(std::string_view line);

/// The child's side: polls the board and reports activities that last for some time.
class ActivityReporter {
public:
  explicit ActivityReporter(const event::ActivityBoard &board) : m_board(board) {}
  /// Writes a line to standard output where there is news. One thread at a time.
  void look();

private:
  const event::ActivityBoard &m_board;
  std::string m_latest;
};

} // namespace jitscope::app
