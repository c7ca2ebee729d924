// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QByteArray>
#include <QString>

#include <string>

namespace jitscope::charts {

struct FigureLabel {
  QString id;   ///< of the element, one of its own within the page: letters, digits and hyphens
  QString text; ///< what is read to those who cannot see it
};

/// One SVG element for a page of HTML, from what QSvgGenerator made of the same chart in light and in dark colours. Colours in
/// which the two differ follow the reader's preference and are light on paper; ids get the element's own in front; texts keep their
/// width whatever font the page has. What no one can see (groups without content, hundredths of pixels, values that are the
/// default) goes. Internal where the two are not the same drawing, or no SVG.
[[nodiscard]] base::Result<std::string> figureSvg(const QByteArray &light, const QByteArray &dark, const FigureLabel &label);

} // namespace jitscope::charts
