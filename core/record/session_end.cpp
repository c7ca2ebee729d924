// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/session_end.h"

#include <array>
#include <utility>

namespace jitscope::record {

namespace {
constexpr std::array<std::pair<SessionStatus, std::string_view>, 4> kNames{{{SessionStatus::Running, "running"},
                                                                            {SessionStatus::Finished, "finished"},
                                                                            {SessionStatus::Failed, "failed"},
                                                                            {SessionStatus::Interrupted, "interrupted"}}};
} // namespace

std::string_view nameOf(SessionStatus status) {
  for (const auto &[value, name] : kNames) {
    if (value == status) {
      return name;
    }
  }
  return "";
}

std::optional<SessionStatus> sessionStatusFromName(std::string_view name) {
  for (const auto &[value, spelling] : kNames) {
    if (spelling == name) {
      return value;
    }
  }
  return std::nullopt;
}

} // namespace jitscope::record
