// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace jitscope::ui {

/// Fusion, the one style that follows every colour of a palette, with outlines around check boxes, radio buttons and fields. Its
/// own are the window's colour darkened, which on a dark window is next to nothing.
class IndicatorStyle : public QProxyStyle {
public:
  IndicatorStyle();

  void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
};

} // namespace jitscope::ui
