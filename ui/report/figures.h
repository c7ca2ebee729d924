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

} // namespace jitscope::charts
