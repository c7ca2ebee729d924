// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/report/figures.h"

namespace jitscope::analysis {
struct Summary;
}
namespace jitscope::session {
class SessionReader;
}

namespace jitscope::charts {

/// Compile time by function and phase.
[[nodiscard]] Figures phaseFigures(FigurePen &pen, session::SessionReader &reader, const analysis::Summary &summary);
/// The slowest compiles by phase.
[[nodiscard]] Figures missFigures(FigurePen &pen, const analysis::Summary &summary);
/// Compiles of each function by their reason.
[[nodiscard]] Figures reasonFigures(FigurePen &pen, session::SessionReader &reader, const analysis::Summary &summary);
/// Remarks by pass and kind.
[[nodiscard]] Figures remarkFigures(FigurePen &pen, const analysis::Summary &summary);
/// Time of optimizing and emitting each function, and the part of it that was spent on copies.
[[nodiscard]] Figures redundancyFigures(FigurePen &pen, const analysis::Summary &summary);

} // namespace jitscope::charts
