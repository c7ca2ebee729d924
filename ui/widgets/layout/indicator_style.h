// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace jitscope::ui {

/// Fusion, the one style that follows every colour of a palette, with outlines around check boxes, radio buttons and fields, and
/// with a frame in the accent's colour around what has the focus. Its own outlines are the window's colour darkened, which on a
/// dark window is next to nothing, and its own focus is a shade of the selection's colour, which on a light one is as little.
class IndicatorStyle : public QProxyStyle {
public:
  IndicatorStyle();

  int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
};

} // namespace jitscope::ui
