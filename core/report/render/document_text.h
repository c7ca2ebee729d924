// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <string>

namespace jitscope::report {

struct ReportOptions;

/// The document for a terminal. All formats leave out sections without blocks.
[[nodiscard]] std::string renderText(const Document &document, const ReportOptions &options);

} // namespace jitscope::report
