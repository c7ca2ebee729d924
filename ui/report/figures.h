// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "report/document/document.h"

#include <vector>

namespace jitscope::analysis {
struct Summary;
}
namespace jitscope::session {
class SessionReader;
}

/// What a report draws, place by place. None of them where there is nothing to be seen.
namespace jitscope::charts {

class FigurePen;
using Figures = base::Result<std::vector<report::DocumentFigure>>;

/// Every call by start and duration, and what the threads did.
[[nodiscard]] Figures timelineFigures(FigurePen &pen, session::SessionReader &reader, const analysis::Summary &summary);
/// Of the first cases: latency by percentile, cold and warm, and samples in run order.
[[nodiscard]] Figures latencyFigures(FigurePen &pen, session::SessionReader &reader, const analysis::Summary &summary);
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
