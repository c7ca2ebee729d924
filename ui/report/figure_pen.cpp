// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/figure_pen.h"

#include "base/try.h"
#include "report/render/display_text.h"
#include "ui/charts/chart_image.h"
#include "ui/report/figure_svg.h"

namespace jitscope::charts {

namespace {

/// The window's colours on the grounds of resources/report.css.
Palette paletteOf(Scheme scheme) {
  Palette palette = Palette::of(scheme);
  const QColor page = scheme == Scheme::Light ? QColor(0xff, 0xff, 0xff) : QColor(0x16, 0x19, 0x1d);
  palette.background = page;
  palette.plot = page;
  return palette;
}

} // namespace

QString oneLine(const std::string &text, std::size_t width) {
  return QString::fromStdString(report::elide(report::printable(text), width));
}

base::Result<report::DocumentFigure> FigurePen::figure(const QString &caption, qreal height, const Draw &draw) {
  ++m_figures;
  report::DocumentFigure result;
  result.caption = caption.toStdString();
  JITSCOPE_TRY(std::string wide, svg(caption, {widthOf(Room::Wide), height}, Room::Wide, draw));
  result.svg = std::move(wide);
  if (m_medium == Medium::Page) {
    JITSCOPE_TRY(std::string narrow, svg(caption, {widthOf(Room::Narrow), height}, Room::Narrow, draw));
    result.narrowSvg = std::move(narrow);
  }
  return result;
}

base::Result<std::string> FigurePen::svg(const QString &caption, QSizeF size, Room room, const Draw &draw) {
  JITSCOPE_TRY(const QByteArray light, chartAsSvg(draw(paletteOf(Scheme::Light), room), size));
  if (m_medium == Medium::Paper) {
    return light.toStdString();
  }
  JITSCOPE_TRY(const QByteArray dark, chartAsSvg(draw(paletteOf(Scheme::Dark), room), size));
  const QString id = QStringLiteral("figure-%1%2").arg(m_figures).arg(room == Room::Narrow ? QStringLiteral("-narrow") : QString());
  return figureSvg(light, dark, {id, caption});
}

} // namespace jitscope::charts
