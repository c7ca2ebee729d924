// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace jitscope::charts {

struct SvgElement;

/// Makes a drawing of QSvgGenerator fit for a page among others, a fifth as long, and no different to look at: numbers to a tenth
/// of a pixel; values that hold anyway, groups without content, titles and empty shapes left out; groups of the same state, and
/// lines in a row, joined; shapes that occur often defined once; ids and references with `prefix` and a hyphen in front; texts
/// without their font, but as wide as they were in it.
void tidySvg(SvgElement &root, const QString &prefix);

} // namespace jitscope::charts
