// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/call_details.h"
#include "ui/charts/palette.h"

#include <QString>

namespace jitscope::ui {

/// One call in words, as HTML for a text browser. Its links are "line:N", "filter:function", "filter:template", "filter:section",
/// "filter:case", "page:compiles", "page:diff" and "nearest".
[[nodiscard]] QString callHtml(const analysis::CallDetails &details, const charts::Palette &palette);

/// The same in a line or two, without links, for a tool tip.
[[nodiscard]] QString callTip(const analysis::CallDetails &details);

} // namespace jitscope::ui
