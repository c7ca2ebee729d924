// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jitscope::session {

/// Every table of a session with its columns, in Markdown: the reference in docs/sessions.md.
[[nodiscard]] std::string schemaReference();

} // namespace jitscope::session
