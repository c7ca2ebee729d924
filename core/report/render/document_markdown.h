// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <string>

namespace jitscope::report {

/// The document in GitHub's Markdown. Names are escaped, so nothing in them is taken for markup.
[[nodiscard]] std::string renderMarkdown(const Document &document);

} // namespace jitscope::report
