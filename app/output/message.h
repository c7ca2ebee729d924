// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace jitscope::app {

/// Writes to standard error what people may want to know. Where nobody listens (a closed pipe, a full disk) the text is lost, and
/// nothing else. Any thread.
void say(std::string_view text);

} // namespace jitscope::app
