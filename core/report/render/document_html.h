// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <string>

namespace jitscope::report {

/// The document as one page of HTML with its style. It has no script and fetches nothing. It is well-formed XML if its drawings
/// are.
[[nodiscard]] std::string renderHtml(const Document &document);

} // namespace jitscope::report
