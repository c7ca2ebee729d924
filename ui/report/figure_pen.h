// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "report/document/document.h"
#include "ui/charts/palette.h"
#include "ui/report/report_charts.h"

#include <QSizeF>
#include <QString>
#include <QtCharts/QChart>

#include <functional>
#include <memory>

namespace jitscope::charts {

/// How wide a drawing is.
enum class Room : std::uint8_t { Wide, Narrow };

/// Text of a script as labels and captions can show it: escaped, on one line, cut after so many columns.
[[nodiscard]] QString oneLine(const std::string &text, std::size_t width = 200);

/// Makes figures of charts, each as often as its medium needs it: in light and dark colours, wide and narrow.
class FigurePen {
public:
  explicit FigurePen(Medium medium) : m_medium(medium) {}

  /// A chart for a palette and a room. Called several times: it must give the same chart each time except for these.
  using Draw = std::function<std::unique_ptr<QChart>(const Palette &, Room)>;
  /// The figure of a chart that is `height` pixels high.
  [[nodiscard]] base::Result<report::DocumentFigure> figure(const QString &caption, qreal height, const Draw &draw);

  /// In pixels.
  [[nodiscard]] static qreal widthOf(Room room) { return room == Room::Wide ? 760 : 360; }

private:
  [[nodiscard]] base::Result<std::string> svg(const QString &caption, QSizeF size, Room room, const Draw &draw);

  Medium m_medium;
  int m_figures = 0;
};

} // namespace jitscope::charts
