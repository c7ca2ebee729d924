// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/outcome_mark.h"

#include "ui/charts/palette.h"

#include <QPainter>

#include <cmath>

namespace jitscope::charts {

QPainterPath outcomeShape(event::Outcome outcome, qreal size) {
  const qreal r = size / 2;
  QPainterPath path;
  switch (outcome) {
  case event::Outcome::Hit:
    path.addEllipse(QPointF(0, 0), r * 0.8, r * 0.8);
    break;
  case event::Outcome::Miss:
    path.addPolygon(QPolygonF({{0, -r * 1.1}, {r * 1.1, r * 0.85}, {-r * 1.1, r * 0.85}}));
    path.closeSubpath();
    break;
  case event::Outcome::Retrace:
    path.addPolygon(QPolygonF({{0, -r * 1.15}, {r * 1.15, 0}, {0, r * 1.15}, {-r * 1.15, 0}}));
    path.closeSubpath();
    break;
  case event::Outcome::Disk:
    path.addRect(-r * 0.85, -r * 0.85, r * 1.7, r * 1.7);
    break;
  case event::Outcome::Wait: {
    const qreal w = r * 0.38;
    path.addRect(-r, -w, 2 * r, 2 * w);
    path.addRect(-w, -r, 2 * w, 2 * r);
    path.setFillRule(Qt::WindingFill);
    break;
  }
  case event::Outcome::Bypass:
    path.addPolygon(QPolygonF({{-r * 1.1, -r * 0.85}, {r * 1.1, -r * 0.85}, {0, r * 1.1}}));
    path.closeSubpath();
    break;
  }
  return path;
}

QPixmap outcomePixmap(event::Outcome outcome, const Palette &palette, qreal size, qreal devicePixelRatio) {
  const qreal extent = size + 4;
  const int pixels = static_cast<int>(std::ceil(extent * devicePixelRatio));
  QPixmap pixmap(pixels, pixels);
  pixmap.setDevicePixelRatio(devicePixelRatio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(extent / 2, extent / 2);
  painter.setPen(QPen(palette.plot, 0.6));
  painter.setBrush(palette.outcome(outcome));
  painter.drawPath(outcomeShape(outcome, size));
  return pixmap;
}

QIcon outcomeIcon(event::Outcome outcome, const Palette &palette) {
  QIcon icon;
  for (const qreal ratio : {1.0, 2.0}) {
    icon.addPixmap(outcomePixmap(outcome, palette, 10, ratio));
  }
  return icon;
}

} // namespace jitscope::charts
