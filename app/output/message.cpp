// SPDX-License-Identifier: GPL-3.0-or-later
#include "output/message.h"

#include <cstdio>

namespace jitscope::app {

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

} // namespace jitscope::app
