// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_span_index.h"
#include "event/compile_cost.h"
#include "ui/charts/palette.h"

#include <QWidget>

#include <array>
#include <cstdint>
#include <vector>

namespace jitscope::ui {

/// Outcomes over time as one bar for each column of pixels: hits on top, all others below them, where even one among thousands
/// stays visible. A click or Enter asks for the timeline.
class OutcomeStrip : public QWidget {
  Q_OBJECT

public:
  OutcomeStrip(const charts::Palette &palette, QWidget *parent);

  /// The calls to show; a view without marks shows an empty strip.
  void setView(analysis::TimelineView view);
  [[nodiscard]] const analysis::TimelineView &view() const { return m_view; }
  void setPalette(const charts::Palette &palette);
  /// Columns that fit: the width in pixels.
  [[nodiscard]] std::uint32_t columns() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void resized();
  void timelineWanted();

protected:
  bool event(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  /// The calls that are under way in a column, by outcome.
  using Column = std::array<std::uint64_t, event::kOutcomes.size()>;
  void count();
  [[nodiscard]] int barHeight() const;
  [[nodiscard]] QString tipAt(int x) const;
  void paintLegend(QPainter &painter) const;

  const charts::Palette *m_palette;
  analysis::TimelineView m_view;
  std::vector<Column> m_columns;
  Column m_totals{};
};

} // namespace jitscope::ui
