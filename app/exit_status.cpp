// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"

#include "message.h"

#include <cstdio>

#include <fmt/format.h>

namespace jitscope::app {

ExitStatus reportError(const base::Error &error) {
  say(fmt::format("jitscope: {}\n", base::describe(error)));
  return statusFor(error.code);
}

} // namespace jitscope::app
