// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timeline_chart.h"

#include "analysis/query/process_name.h"
#include "ui/charts/chart_frame.h"
#include "ui/charts/chart_words.h"
#include "ui/charts/ticks.h"
#include "ui/charts/timeline_marks_item.h"

#include <QGraphicsLayout>
#include <QGraphicsSceneResizeEvent>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jitscope::charts {

namespace {

constexpr qreal kLeft = 74;
constexpr qreal kRight = 30;
constexpr qreal kTop = 44; // a line of legend and a line of section names
constexpr qreal kLegendLine = 18;
constexpr qreal kLegendWidth = 680; // of a legend on one line
constexpr qreal kTimeAxis = 28;
constexpr qreal kBottom = 8;
constexpr qreal kRowHeight = 18;
constexpr qreal kReach = 8; // how near the mouse must be to a mark

constexpr qreal kNamesHeight = 20; // of the line of section names, above the plot
constexpr qreal kNearSection = 4;  // how near the mouse must be to the beginning of a section

} // namespace

QString threadLabel(const analysis::ThreadName &name, const std::vector<session::MergedPart> &parts) {
  const analysis::ProcessName process = analysis::nameOfProcess(name.process, parts);
  if (process.part == 0 && process.coldLeg == 0) {
    return name.thread == 0 ? words("main") : words("thread %1").arg(name.thread);
  }
  const QString label = process.part == 0      ? words("cold %1").arg(process.coldLeg)
                        : process.coldLeg == 0 ? words("run %1").arg(process.part)
                                               : words("%1: cold %2").arg(process.part).arg(process.coldLeg);
  return name.thread == 0 ? label : QStringLiteral("%1.%2").arg(label).arg(name.thread);
}

TimelineChart::TimelineChart(const Palette &palette)
    : m_palette(palette), m_timeAxis(makeAxis(palette, {})), m_durationAxis(makeAxis(palette, {})), m_marks(new MarksItem(*this)) {
  setAnimationOptions(NoAnimation);
  setDropShadowEnabled(false);
  setBackgroundRoundness(0);
  layout()->setContentsMargins(0, 0, 0, 0);
  setMargins(QMargins(0, 0, 0, 0));
  legend()->hide();
  applyPalette(*this, palette);
  addAxis(m_timeAxis, Qt::AlignBottom);
  addAxis(m_durationAxis, Qt::AlignLeft);
  // Axes take their place from a series; this one stays empty.
  auto *carrier = new QLineSeries;
  addSeries(carrier);
  carrier->attachAxis(m_timeAxis);
  carrier->attachAxis(m_durationAxis);
  setRange({0, 1'000'000'000});
}

TimelineChart::~TimelineChart() = default;

void TimelineChart::setPalette(const Palette &palette) {
  m_palette = palette;
  applyPalette(*this, palette);
  for (QCategoryAxis *axis : {m_timeAxis, m_durationAxis}) {
    axis->setLabelsBrush(palette.dimText);
    axis->setLinePen(QPen(palette.grid));
    axis->setGridLinePen(QPen(palette.grid));
  }
  m_marks->update();
}

void TimelineChart::setData(TimelineData data) {
  m_data = std::move(data);
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most = 0;
  for (const analysis::TimelineMark &mark : m_data.view.marks) {
    least = std::min(least, mark.minNs);
    most = std::max(most, mark.maxNs);
  }
  if (most == 0 && least > most) {
    least = 1000;
    most = 1'000'000;
  }
  m_minLevel = std::floor(durationLevel(static_cast<double>(least)));
  m_maxLevel = std::max(std::ceil(durationLevel(static_cast<double>(most))), m_minLevel + 1);
  m_range = m_data.view.range;
  layOut();
  updateAxes();
}

void TimelineChart::setRange(analysis::TimeRange range) {
  m_range = range;
  updateAxes();
}

void TimelineChart::updateAxes() {
  const int most = std::max(2, static_cast<int>(plotArea().width() / 110));
  const auto from = static_cast<double>(m_range.fromNs);
  const auto to = static_cast<double>(std::max(m_range.toNs, m_range.fromNs + 1));
  setTicks(*m_timeAxis, timeTicks(from, to, most), from, to);
  setTicks(*m_durationAxis, durationTicks(std::pow(10, m_minLevel), std::pow(10, m_maxLevel)), m_minLevel, m_maxLevel);
  m_marks->update();
}

void TimelineChart::setRangeMark(std::optional<analysis::TimeRange> range) {
  m_rangeMark = range;
  m_marks->update();
}

void TimelineChart::setCurrent(std::optional<analysis::TimelineMark> mark) {
  m_current = mark;
  m_marks->update();
}

void TimelineChart::setCurrentCompile(base::CompileId id) {
  m_currentCompile = id;
  m_marks->update();
}

void TimelineChart::resizeEvent(QGraphicsSceneResizeEvent *event) {
  m_marks->aboutToResize();
  QChart::resizeEvent(event);
  layOut();
  updateAxes();
}

void TimelineChart::layOut() {
  const QSizeF whole = size();
  const auto rows = static_cast<qreal>(m_data.view.threads.size());
  const qreal room = std::max<qreal>(whole.height() * 0.4, kRowHeight);
  const qreal rowsHeight = std::min(rows * kRowHeight, room);
  const qreal top = kTop + (hasTwoLegendLines() ? kLegendLine : 0);
  setPlotArea(QRectF(kLeft, top, std::max<qreal>(whole.width() - kLeft - kRight, 10),
                     std::max<qreal>(whole.height() - top - kTimeAxis - rowsHeight - kBottom, 10)));
}

bool TimelineChart::hasTwoLegendLines() const { return size().width() < kLegendWidth; }

QRectF TimelineChart::threadRow(std::size_t index) const {
  const QRectF plot = plotArea();
  const qreal top = plot.bottom() + kTimeAxis;
  const auto rows = static_cast<qreal>(std::max<std::size_t>(m_data.view.threads.size(), 1));
  const qreal height = std::min(kRowHeight, std::max<qreal>(size().height() - kBottom - top, 0) / rows);
  return {plot.left(), top + static_cast<qreal>(index) * height, plot.width(), height};
}

std::uint32_t TimelineChart::columns() const { return static_cast<std::uint32_t>(std::max<qreal>(plotArea().width(), 1)); }

double TimelineChart::timeAt(qreal x) const {
  const QRectF plot = plotArea();
  const double share = std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0);
  return static_cast<double>(m_range.fromNs) + share * static_cast<double>(m_range.lengthNs());
}

qreal TimelineChart::xOf(double ns) const {
  const QRectF plot = plotArea();
  const double length = std::max(static_cast<double>(m_range.lengthNs()), 1.0);
  return plot.left() + (ns - static_cast<double>(m_range.fromNs)) / length * plot.width();
}

qreal TimelineChart::yOf(double durationNs) const {
  const QRectF plot = plotArea();
  const double share = (durationLevel(durationNs) - m_minLevel) / std::max(m_maxLevel - m_minLevel, 1e-9);
  return plot.bottom() - share * plot.height();
}

const analysis::TimelineMark *TimelineChart::markAt(QPointF place) const {
  if (!plotArea().adjusted(-kReach, -kReach, kReach, kReach).contains(place)) {
    return nullptr;
  }
  const analysis::TimelineMark *nearest = nullptr;
  qreal best = kReach * kReach;
  for (const analysis::TimelineMark &mark : m_data.view.marks) {
    const qreal dx = xOf(mark.startNs) - place.x();
    if (std::abs(dx) > kReach) {
      continue;
    }
    const qreal top = yOf(static_cast<double>(mark.maxNs));
    const qreal bottom = yOf(static_cast<double>(mark.minNs));
    const qreal dy = place.y() < top ? top - place.y() : place.y() > bottom ? place.y() - bottom : 0;
    const qreal distance = dx * dx + dy * dy;
    // Rarer outcomes are painted later, hence on top.
    if (distance < best || (distance == best && mark.outcome != event::Outcome::Hit)) {
      best = distance;
      nearest = &mark;
    }
  }
  return nearest;
}

const analysis::CompileSpan *TimelineChart::compileAt(QPointF place) const {
  const std::vector<analysis::ThreadName> &threads = m_data.view.threads;
  for (const analysis::CompileSpan &compile : m_data.compiles) {
    const auto thread = std::ranges::find(threads, compile.thread);
    const QRectF row = threadRow(static_cast<std::size_t>(thread - threads.begin()));
    const qreal left = xOf(static_cast<double>(compile.startNs));
    const qreal right = std::max(xOf(static_cast<double>(compile.startNs + compile.totalNs)), left + 3);
    if (place.y() >= row.top() && place.y() < row.bottom() && place.x() >= left - 1 && place.x() <= right) {
      return &compile;
    }
  }
  return nullptr;
}

const analysis::ThreadName *TimelineChart::threadAt(QPointF place) const {
  for (std::size_t row = 0; row < m_data.view.threads.size(); ++row) {
    const QRectF area = threadRow(row);
    if (place.y() >= area.top() && place.y() < area.bottom() && place.x() < area.left()) {
      return &m_data.view.threads[row];
    }
  }
  return nullptr;
}

std::vector<SectionBand> TimelineChart::sectionsAt(QPointF place) const {
  const QRectF plot = plotArea();
  std::vector<SectionBand> found;
  if (place.y() < plot.top() - kNamesHeight || place.y() > plot.top()) {
    return found;
  }
  std::ranges::copy_if(m_data.sections, std::back_inserter(found), [&](const SectionBand &section) {
    const qreal left = xOf(static_cast<double>(section.startNs));
    const qreal right = xOf(static_cast<double>(section.endNs));
    const bool isInSight = right >= plot.left() && left <= plot.right();
    return isInSight && (std::abs(place.x() - left) <= kNearSection || (place.x() >= left && place.x() < right));
  });
  return found;
}

const analysis::ProcessStart *TimelineChart::startAt(QPointF place) const {
  const std::vector<analysis::ThreadName> &threads = m_data.view.threads;
  for (const analysis::ProcessStart &start : m_data.starts) {
    const auto thread = std::ranges::find(threads, start.process, &analysis::ThreadName::process);
    const QRectF row = threadRow(static_cast<std::size_t>(thread - threads.begin()));
    const bool isInRow = thread != threads.end() && place.y() >= row.top() && place.y() < row.bottom();
    const bool isInGap = place.x() >= xOf(static_cast<double>(start.unrecorded.fromNs)) &&
                         place.x() < xOf(static_cast<double>(start.unrecorded.toNs));
    if (isInRow && (place.x() < row.left() || isInGap)) {
      return &start;
    }
  }
  return nullptr;
}

} // namespace jitscope::charts
