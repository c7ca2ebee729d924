// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_details.h"
#include "ui/charts/palette.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <span>
#include <string_view>

namespace jitscope::ui {

/// A compile and its phases, one to a line, for tips: "compile under deferred, 20.5 ms", "optimize  9.26 ms".
[[nodiscard]] QStringList compileLines(std::string_view pipeline, std::uint64_t totalNs, std::span<const std::uint64_t> phasesNs);
/// "optimize  9.26 ms"; what comes after the phases lies between them.
[[nodiscard]] QString phaseText(std::size_t phase, std::uint64_t ns);

/// One call in words, as HTML for a text browser. Its links are "line:N", "filter:function", "filter:template", "filter:section",
/// "filter:case", "page:compiles", "page:diff" and "nearest". Where it `isNarrow`, the reason stands above the rest, not beside it.
[[nodiscard]] QString callHtml(const analysis::CallDetails &details, const charts::Palette &palette, bool isNarrow = false);

/// The same in a line or two, without links, for a tool tip.
[[nodiscard]] QString callTip(const analysis::CallDetails &details);

} // namespace jitscope::ui
