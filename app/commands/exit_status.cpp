// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/exit_status.h"

#include "output/message.h"

#include <array>
#include <cstdio>

#include <fmt/format.h>

namespace jitscope::app {

namespace {

constexpr std::array<ExitStatusMeaning, 4> kMeanings{{
    {ExitStatus::Done, "done"},
    {ExitStatus::Failed,
     "an expectation failed, a regression or a finding that --fail-on forbids was found, or the script failed or was interrupted"},
    kBadInput,
    {ExitStatus::TooLittle, "too little data, or data that cannot be compared"},
}};

} // namespace

std::span<const ExitStatusMeaning> exitStatusMeanings() { return kMeanings; }

ExitStatus reportError(const base::Error &error) {
  say(fmt::format("jitscope: {}\n", base::describe(error)));
  return statusFor(error.code);
}

} // namespace jitscope::app
