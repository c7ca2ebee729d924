// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/outcome_strip.h"

#include "analysis/statistics/time_columns.h"
#include "ui/charts/outcome_mark.h"
#include "ui/widgets/text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionFocusRect>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace jitscope::ui {

namespace {

constexpr int kMargin = 8;
/// The height of a bar that stands for a single call among any number of hits.
constexpr int kMinPixels = 3;

std::size_t indexOf(event::Outcome outcome) { return static_cast<std::size_t>(outcome); }

} // namespace

OutcomeStrip::OutcomeStrip(const charts::Palette &palette, QWidget *parent) : QWidget(parent), m_palette(&palette) {
  setObjectName(QStringLiteral("outcomeStrip"));
  setAccessibleName(tr("Outcomes over time"));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OutcomeStrip::setView(analysis::TimelineView view) {
  m_view = std::move(view);
  count();
  QStringList counts;
  for (const event::Outcome outcome : charts::kOutcomes) {
    if (m_totals[indexOf(outcome)] > 0) {
      counts << tr("%1 %2").arg(toText(nameOf(outcome)), countText(m_totals[indexOf(outcome)]));
    }
  }
  setAccessibleDescription(counts.join(QStringLiteral(", ")));
  update();
}

void OutcomeStrip::setPalette(const charts::Palette &palette) {
  m_palette = &palette;
  update();
}

std::uint32_t OutcomeStrip::columns() const { return static_cast<std::uint32_t>(std::max(1, width() - 2 * kMargin)); }

QSize OutcomeStrip::sizeHint() const { return {600, 48 + fontMetrics().height() + 3 * kMargin}; }

QSize OutcomeStrip::minimumSizeHint() const { return {120, sizeHint().height()}; }

void OutcomeStrip::count() {
  m_columns.assign(columns(), Column{});
  m_totals = {};
  const analysis::TimeColumns columns(m_view.range, static_cast<std::uint32_t>(m_columns.size()));
  // A mark of a view that reads each call stands for all calls within three columns.
  const std::uint64_t besideNs = m_view.exact ? static_cast<std::uint64_t>(columns.columnNs()) : 0;
  for (const analysis::TimelineMark &mark : m_view.marks) {
    const auto startNs = static_cast<std::uint64_t>(std::max(mark.startNs, 0.0));
    const std::uint32_t last = columns.columnOf(startNs + mark.maxNs + besideNs);
    for (std::uint32_t column = columns.columnOf(startNs - std::min(startNs, besideNs)); column <= last; ++column) {
      m_columns[column][indexOf(mark.outcome)] += mark.calls;
    }
    m_totals[indexOf(mark.outcome)] += mark.calls;
  }
}

int OutcomeStrip::barHeight() const { return height() - fontMetrics().height() - 3 * kMargin; }

QString OutcomeStrip::tipAt(int x) const {
  const int column = x - kMargin;
  if (column < 0 || column >= static_cast<int>(m_columns.size())) {
    return {};
  }
  const analysis::TimeColumns columns(m_view.range, static_cast<std::uint32_t>(m_columns.size()));
  QStringList outcomes;
  for (const event::Outcome outcome : charts::kOutcomes) {
    if (m_columns[static_cast<std::size_t>(column)][indexOf(outcome)] > 0) {
      outcomes << toText(nameOf(outcome));
    }
  }
  const QString time = durationText(columns.nsAt(column));
  return outcomes.isEmpty() ? tr("%1: no calls").arg(time)
                            : tr("%1: %2. Click to open the timeline.").arg(time, outcomes.join(QStringLiteral(", ")));
}

bool OutcomeStrip::event(QEvent *event) {
  if (event->type() == QEvent::ToolTip) {
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString tip = tipAt(help->pos().x());
    tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), tip, this);
    return true;
  }
  return QWidget::event(event);
}

void OutcomeStrip::paintEvent(QPaintEvent * /*event*/) {
  QPainter painter(this);
  const QRect plot(kMargin, kMargin, static_cast<int>(columns()), barHeight());
  painter.fillRect(plot, m_palette->band);
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    const Column &calls = m_columns[column];
    const std::uint64_t all = std::accumulate(calls.begin(), calls.end(), std::uint64_t{0});
    if (all == 0) {
      continue;
    }
    const int x = plot.left() + static_cast<int>(column);
    painter.fillRect(x, plot.top(), 1, plot.height(), m_palette->outcome(event::Outcome::Hit));
    int bottom = plot.bottom() + 1;
    for (const event::Outcome outcome : charts::kOutcomes) {
      const std::uint64_t count = outcome == event::Outcome::Hit ? 0 : calls[indexOf(outcome)];
      if (count == 0) {
        continue;
      }
      const double share = static_cast<double>(count) / static_cast<double>(all);
      const int pixels = std::max(kMinPixels, static_cast<int>(std::lround(share * plot.height())));
      const int top = std::max(bottom - pixels, plot.top());
      painter.fillRect(x, top, 1, bottom - top, m_palette->outcome(outcome));
      bottom = top;
    }
  }
  paintLegend(painter);
  if (hasFocus()) {
    QStyleOptionFocusRect option;
    option.initFrom(this);
    option.rect = rect().adjusted(2, 2, -2, -2);
    style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
  }
}

void OutcomeStrip::paintLegend(QPainter &painter) const {
  const QFontMetrics metrics = fontMetrics();
  const int top = height() - kMargin - metrics.height();
  int x = kMargin;
  for (const event::Outcome outcome : charts::kOutcomes) {
    if (m_totals[indexOf(outcome)] == 0) {
      continue;
    }
    const QString text = QStringLiteral("%1 %2").arg(countText(m_totals[indexOf(outcome)]), toText(nameOf(outcome)));
    const int size = metrics.ascent() - 2;
    if (x + size + 5 + metrics.horizontalAdvance(text) > width() - kMargin) {
      return;
    }
    painter.drawPixmap(x, top + 2, charts::outcomePixmap(outcome, *m_palette, size, devicePixelRatioF()));
    x += size + 5;
    painter.setPen(m_palette->text);
    painter.drawText(x, top + metrics.ascent(), text);
    x += metrics.horizontalAdvance(text) + 16;
  }
}

void OutcomeStrip::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  count();
  Q_EMIT resized();
}

void OutcomeStrip::mouseReleaseEvent(QMouseEvent * /*event*/) { Q_EMIT timelineWanted(); }

void OutcomeStrip::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) {
    Q_EMIT timelineWanted();
    return;
  }
  QWidget::keyPressEvent(event);
}

} // namespace jitscope::ui
