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

/// Every call by start and duration, and what the threads did.
[[nodiscard]] Figures timelineFigures(FigurePen &pen, session::SessionReader &reader, const analysis::Summary &summary);
/// Of the first cases: latency by percentile, cold and warm, and samples in run order.
[[nodiscard]] Figures latencyFigures(FigurePen &pen, session::SessionReader &reader, const analysis::Summary &summary);

} // namespace jitscope::charts
