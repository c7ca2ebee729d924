// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timeline_marks_item.h"

#include "ui/charts/chart_words.h"
#include "ui/charts/outcome_mark.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace jitscope::charts {

namespace {

using analysis::CompileSpan;
using analysis::TimelineMark;

constexpr qreal kEdge = 10;

QFont smallFont() {
  QFont font = QGuiApplication::font();
  font.setPointSizeF(font.pointSizeF() * 0.9);
  return font;
}

/// A colour as it looks where it covers another one by a share. Opaque, for Qt's raster engine fills tall translucent bars on
/// several threads, which takes it a hundred times as long.
QColor mixed(const QColor &colour, const QColor &ground, double share) {
  const auto mix = [share](int over, int under) { return static_cast<int>(std::lround(share * over + (1 - share) * under)); };
  return {mix(colour.red(), ground.red()), mix(colour.green(), ground.green()), mix(colour.blue(), ground.blue())};
}

/// A rectangle at whole pixels, where filling needs no smoothing; never without a width.
QRect wholePixels(const QRectF &area) {
  const int left = static_cast<int>(std::lround(area.left()));
  const int top = static_cast<int>(std::lround(area.top()));
  return {left, top, std::max(static_cast<int>(std::lround(area.right())) - left, 1),
          std::max(static_cast<int>(std::lround(area.bottom())) - top, 1)};
}

/// Draws marks of one outcome: as pictures on screens, as shapes where the device keeps vectors.
class MarkBrush {
public:
  MarkBrush(QPainter &painter, const Palette &palette, event::Outcome outcome, qreal size)
      : m_painter(painter), m_shape(outcomeShape(outcome, size)) {
    const QPaintEngine::Type type = painter.paintEngine()->type();
    m_isVector = type == QPaintEngine::SVG || type == QPaintEngine::Pdf || type == QPaintEngine::Picture;
    if (!m_isVector) {
      m_pixmap = outcomePixmap(outcome, palette, size, painter.device()->devicePixelRatioF());
      m_half = QPointF(m_pixmap.width(), m_pixmap.height()) / (2 * m_pixmap.devicePixelRatio());
    }
  }

  void draw(QPointF centre) const {
    if (m_isVector) {
      m_painter.drawPath(m_shape.translated(centre));
    } else {
      // At whole pixels copying takes a fraction of what it takes between them.
      m_painter.drawPixmap((centre - m_half).toPoint(), m_pixmap);
    }
  }

private:
  QPainter &m_painter;
  QPainterPath m_shape;
  QPixmap m_pixmap;
  QPointF m_half;
  bool m_isVector = false;
};

} // namespace

TimelineChart::MarksItem::MarksItem(TimelineChart &chart) : QGraphicsItem(&chart), m_chart(chart) {
  setZValue(10);
  setAcceptedMouseButtons(Qt::NoButton);
}

QRectF TimelineChart::MarksItem::boundingRect() const { return {QPointF(0, 0), m_chart.size()}; }

void TimelineChart::MarksItem::paint(QPainter *painter, const QStyleOptionGraphicsItem * /*option*/, QWidget * /*widget*/) {
  painter->save();
  painter->setFont(smallFont());
  paintSections(*painter);
  paintMarks(*painter);
  paintMessage(*painter);
  paintRows(*painter);
  paintLegend(*painter);
  painter->restore();
}

void TimelineChart::MarksItem::paintSections(QPainter &painter) const {
  const QRectF plot = m_chart.plotArea();
  const QRectF below = m_chart.threadRow(m_chart.m_data.view.threads.size());
  const QFontMetricsF metrics(painter.font());
  std::size_t index = 0;
  for (const SectionBand &section : m_chart.m_data.sections) {
    ++index;
    const qreal left = std::max(m_chart.xOf(static_cast<double>(section.startNs)), plot.left());
    const qreal right = std::min(m_chart.xOf(static_cast<double>(section.endNs)), plot.right());
    if (right < left || left > plot.right() || section.name.isEmpty()) {
      continue;
    }
    painter.setPen(Qt::NoPen);
    QColor band = m_chart.m_palette.accent;
    band.setAlphaF(index % 2 == 0 ? 0.07F : 0.0F);
    painter.fillRect(QRectF(left, plot.top(), right - left, below.top() - plot.top()), band);
    painter.setPen(QPen(m_chart.m_palette.dimText, 1, Qt::DotLine));
    painter.drawLine(QPointF(left, plot.top() - 16), QPointF(left, plot.bottom()));
    const QRectF place(left + 4, plot.top() - 18, right - left - 6, 16);
    if (place.width() > 20) {
      painter.setPen(m_chart.m_palette.dimText);
      painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(section.name, Qt::ElideRight, place.width()));
    }
  }
}

void TimelineChart::MarksItem::paintMessage(QPainter &painter) const {
  if (!m_chart.m_data.view.marks.empty() || m_chart.m_data.message.isEmpty()) {
    return;
  }
  const QRectF room = m_chart.plotArea().adjusted(20, 20, -20, -20);
  const int flags = Qt::AlignCenter | Qt::TextWordWrap;
  // Lines of the grid and of sections must not cross it.
  painter.fillRect(painter.boundingRect(room, flags, m_chart.m_data.message).adjusted(-8, -4, 8, 4), m_chart.m_palette.plot);
  painter.setPen(m_chart.m_palette.dimText);
  painter.drawText(room, flags, m_chart.m_data.message);
}

void TimelineChart::MarksItem::paintMarks(QPainter &painter) const {
  const analysis::TimelineView &view = m_chart.m_data.view;
  const QRectF plot = m_chart.plotArea();
  painter.save();
  // With room for a mark, and for the ring around it, at the very edge.
  painter.setClipRect(plot.adjusted(-kEdge, -kEdge, kEdge, kEdge));
  const qreal size = view.marks.size() > 3000 ? 6 : 8;
  // As wide as the columns that the marks were made for, should the range have changed since.
  const double columnNs = static_cast<double>(view.range.lengthNs()) / std::max(view.columns, 1U);
  const qreal columnWidth = std::max<qreal>(m_chart.xOf(columnNs) - m_chart.xOf(0), 1);
  // Hits first: what is rare must not be covered by what is common.
  for (const event::Outcome outcome : kOutcomes) {
    const MarkBrush brush(painter, m_chart.m_palette, outcome, outcome == event::Outcome::Hit ? size - 1 : size + 2);
    const QColor bar = mixed(m_chart.m_palette.outcome(outcome), m_chart.m_palette.plot, 0.5);
    painter.setPen(QPen(m_chart.m_palette.plot, 0.6));
    painter.setBrush(m_chart.m_palette.outcome(outcome));
    qreal lastX = -100;
    for (const TimelineMark &mark : view.marks) {
      if (mark.outcome != outcome) {
        continue;
      }
      const qreal x = m_chart.xOf(mark.startNs);
      if (x < plot.left() - kEdge || x > plot.right() + kEdge) {
        continue;
      }
      const qreal top = m_chart.yOf(static_cast<double>(mark.maxNs));
      const qreal bottom = m_chart.yOf(static_cast<double>(mark.minNs));
      const bool isBar = bottom - top > 2;
      if (isBar) {
        painter.fillRect(wholePixels(QRectF(x - columnWidth / 2, top, columnWidth, bottom - top)), bar);
      }
      // The ends of neighbouring columns of hits would cover each other. Of few marks, and of what is no hit, every one is wanted.
      if (view.exact || outcome != event::Outcome::Hit || x - lastX >= size * 0.8) {
        brush.draw({x, top});
        if (isBar && !view.exact) {
          brush.draw({x, bottom});
        }
        lastX = x;
      }
    }
  }
  if (m_chart.m_rangeMark) {
    const qreal left = m_chart.xOf(static_cast<double>(m_chart.m_rangeMark->fromNs));
    const qreal right = m_chart.xOf(static_cast<double>(m_chart.m_rangeMark->toNs));
    QColor fill = m_chart.m_palette.accent;
    fill.setAlphaF(0.18F);
    painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), fill);
    painter.setPen(m_chart.m_palette.accent);
    painter.drawLine(QPointF(left, plot.top()), QPointF(left, plot.bottom()));
    painter.drawLine(QPointF(right, plot.top()), QPointF(right, plot.bottom()));
  }
  if (m_chart.m_current) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_chart.m_palette.text, 2));
    painter.drawEllipse(
        QPointF(m_chart.xOf(m_chart.m_current->startNs), m_chart.yOf(static_cast<double>(m_chart.m_current->maxNs))), 8, 8);
  }
  painter.restore();
}

void TimelineChart::MarksItem::paintCompiles(QPainter &painter, std::size_t row, const QRectF &area) const {
  const analysis::ThreadName &name = m_chart.m_data.view.threads[row];
  qreal covered = area.left() - 1;
  std::optional<QRectF> frame;
  for (const CompileSpan &compile : m_chart.m_data.compiles) {
    if (compile.thread != name) {
      continue;
    }
    const bool isCurrent = m_chart.m_currentCompile.isValid() && compile.id == m_chart.m_currentCompile;
    const auto start = static_cast<double>(compile.startNs);
    const qreal left = std::max(m_chart.xOf(start), area.left());
    const qreal right = std::min(m_chart.xOf(start + static_cast<double>(compile.totalNs)), area.right());
    if (isCurrent && right >= area.left() && left <= area.right()) {
      frame = QRectF(left - 1.5, area.top() - 0.5, std::max(right - left, 2.0) + 3, area.height() + 1);
    }
    if (right < area.left() || left > area.right() || right <= covered) {
      continue;
    }
    const auto fill = [&](qreal from, qreal to, const QColor &colour) {
      if (to > from) {
        painter.fillRect(wholePixels(QRectF(from, area.top(), to - from, area.height())), colour);
      }
    };
    if (right - left < 3) {
      // Too narrow for phases: the compile as such, never narrower than can be seen.
      fill(left, left + 2, m_chart.m_palette.outcome(event::Outcome::Miss));
      covered = left + 1;
      continue;
    }
    fill(left, right, m_chart.m_palette.phases[5]);
    double phaseStart = start;
    for (std::size_t phase = 0; phase < compile.phasesNs.size(); ++phase) {
      const double phaseEnd = phaseStart + static_cast<double>(compile.phasesNs[phase]);
      fill(std::max(m_chart.xOf(phaseStart), area.left()), std::min(m_chart.xOf(phaseEnd), area.right()),
           m_chart.m_palette.phases[phase]);
      phaseStart = phaseEnd;
    }
    covered = right;
  }
  // Over its neighbours, which may be drawn after it.
  if (frame) {
    painter.setPen(QPen(m_chart.m_palette.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(*frame);
  }
}

void TimelineChart::MarksItem::paintStart(QPainter &painter, std::size_t row, const QRectF &area) const {
  const std::vector<analysis::ThreadName> &threads = m_chart.m_data.view.threads;
  const bool isFirstOfProcess = row == 0 || threads[row - 1].process != threads[row].process;
  const auto &starts = m_chart.m_data.starts;
  const auto start = std::ranges::find(starts, threads[row].process, &analysis::ProcessStart::process);
  if (!isFirstOfProcess || start == starts.end()) {
    return;
  }
  const qreal left = std::max(m_chart.xOf(static_cast<double>(start->unrecorded.fromNs)), area.left());
  const qreal right = std::min(m_chart.xOf(static_cast<double>(start->unrecorded.toNs)), area.right());
  if (right - left < 6) {
    return;
  }
  const QFontMetricsF metrics(painter.font());
  QPen dashed(m_chart.m_palette.dimText, 1, Qt::DashLine);
  const qreal middle = std::round(area.center().y()) + 0.5;
  qreal textLeft = right;
  for (const QString &text : {words("runs the script again, unrecorded"), words("runs the script again"), words("starts")}) {
    const qreal width = metrics.horizontalAdvance(text) + 8;
    if (width + 8 <= right - left && metrics.height() <= area.height() + 4) {
      textLeft = right - width;
      painter.setPen(m_chart.m_palette.dimText);
      painter.drawText(QRectF(textLeft, middle - 9, width, 18), Qt::AlignCenter, text);
      break;
    }
  }
  painter.setPen(dashed);
  painter.drawLine(QPointF(left, middle), QPointF(textLeft, middle));
}

void TimelineChart::MarksItem::paintRows(QPainter &painter) const {
  const analysis::TimelineView &view = m_chart.m_data.view;
  const double columnNs = static_cast<double>(view.range.lengthNs()) / std::max(view.columns, 1U);
  const QFontMetricsF metrics(painter.font());
  qreal labelledTo = 0;
  for (std::size_t row = 0; row < view.threads.size(); ++row) {
    const QRectF whole = m_chart.threadRow(row);
    const QRectF area = whole.adjusted(0, whole.height() > 8 ? 2 : 0, 0, 0);
    painter.fillRect(area, m_chart.m_palette.band);
    const QColor busy = mixed(m_chart.m_palette.outcome(event::Outcome::Hit), m_chart.m_palette.band, 0.75);
    for (std::size_t column = 0; row < view.busy.size() && column < view.busy[row].size(); ++column) {
      const float share = view.busy[row][column];
      const double start = static_cast<double>(view.range.fromNs) + static_cast<double>(column) * columnNs;
      const qreal left = std::max(m_chart.xOf(start), area.left());
      const qreal right = std::min(m_chart.xOf(start + columnNs), area.right());
      if (share > 0 && right > left) {
        // What is there at all must be seen.
        const qreal height = std::max<qreal>(area.height() * share, 1.5);
        painter.fillRect(wholePixels(QRectF(left, area.bottom() - height, right - left, height)), busy);
      }
    }
    paintStart(painter, row, area);
    paintCompiles(painter, row, area.adjusted(0, 0, 0, -std::min<qreal>(area.height() * 0.3, 4)));
    const QRectF label(4, whole.center().y() - 8, whole.left() - 10, 16);
    if (label.top() >= labelledTo - 4) {
      painter.setPen(m_chart.m_palette.dimText);
      painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter,
                       metrics.elidedText(threadLabel(view.threads[row], m_chart.m_data.parts), Qt::ElideRight, label.width()));
      labelledTo = label.bottom();
    }
  }
}

void TimelineChart::MarksItem::paintLegend(QPainter &painter) const {
  const QFontMetricsF metrics(painter.font());
  qreal middle = 12;
  qreal x = m_chart.hasTwoLegendLines() ? 8 : m_chart.plotArea().left();
  const auto write = [&](const QString &text) {
    painter.setPen(m_chart.m_palette.text);
    const qreal width = metrics.horizontalAdvance(text);
    painter.drawText(QRectF(x, middle - 9, width + 2, 18), Qt::AlignLeft | Qt::AlignVCenter, text);
    x += width + (m_chart.hasTwoLegendLines() ? 8 : 16);
  };
  for (const event::Outcome outcome : kOutcomes) {
    const bool occurs =
        std::ranges::any_of(m_chart.m_data.view.marks, [&](const TimelineMark &mark) { return mark.outcome == outcome; });
    if (!occurs) {
      continue;
    }
    const std::string_view name = nameOf(outcome);
    const MarkBrush brush(painter, m_chart.m_palette, outcome, 9);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_chart.m_palette.outcome(outcome));
    brush.draw({x + 5, middle});
    x += 14;
    write(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
  }
  if (m_chart.m_data.compiles.empty()) {
    return;
  }
  if (m_chart.hasTwoLegendLines()) {
    x = 8;
    middle += 18;
  } else {
    x += 10;
  }
  for (std::size_t phase = 0; phase <= analysis::kPhaseNames.size(); ++phase) {
    painter.fillRect(QRectF(x, middle - 5, 10, 10), m_chart.m_palette.phases[phase]);
    x += 14;
    // The last colour is of what lies between the phases.
    write(phase < analysis::kPhaseNames.size() ? QString::fromLatin1(analysis::kPhaseNames[phase]) : words("between"));
  }
}

} // namespace jitscope::charts
