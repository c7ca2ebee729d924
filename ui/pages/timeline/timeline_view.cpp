// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/timeline/timeline_view.h"

#include "ui/charts/time_zoom.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace jitscope::ui {

namespace {

using analysis::TimeRange;

constexpr double kZoomIn = 0.75;
constexpr double kPan = 0.2;

} // namespace

TimelineView::TimelineView(const charts::Palette &palette, QWidget *parent) : ChartView(tr("Timeline"), parent) {
  setObjectName(QStringLiteral("timelineView"));
  setAccessibleDescription(tr("Every call by start and duration. W and S zoom, A and D move, comma and full stop go from mark to "
                              "mark, Home shows all."));
  auto chart = std::make_unique<charts::TimelineChart>(palette);
  m_timeline = chart.get();
  setChart(std::move(chart));
  setFocusPolicy(Qt::StrongFocus);
}

void TimelineView::setLimits(TimeRange limits) {
  m_limits = limits;
  if (m_showsAll) {
    showAll();
  }
}

void TimelineView::showRange(TimeRange range) {
  m_showsAll = range == m_limits;
  m_timeline->setRange(range);
  Q_EMIT rangeWanted(range);
}

void TimelineView::showAll() { showRange(m_limits); }

void TimelineView::setFilterRange(std::optional<TimeRange> range) {
  m_filterRange = range;
  m_timeline->setRangeMark(range);
}

void TimelineView::wheelEvent(QWheelEvent *event) {
  const QPoint delta = event->angleDelta();
  const bool sideways = (event->modifiers() & Qt::ShiftModifier) != 0 || std::abs(delta.x()) > std::abs(delta.y());
  const double steps = (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
  if (sideways) {
    showRange(charts::panned(m_timeline->range(), -steps * kPan, m_limits));
  } else if (steps != 0) {
    showRange(charts::zoomed(m_timeline->range(), std::pow(kZoomIn, steps), m_timeline->timeAt(event->position().x()), m_limits));
  }
  event->accept();
}

void TimelineView::keyPressEvent(QKeyEvent *event) {
  const TimeRange range = m_timeline->range();
  const double middle = static_cast<double>(range.fromNs) + static_cast<double>(range.lengthNs()) / 2;
  switch (event->key()) {
  case Qt::Key_W:
  case Qt::Key_Plus:
  case Qt::Key_Equal:
  case Qt::Key_Up:
    showRange(charts::zoomed(range, kZoomIn, middle, m_limits));
    break;
  case Qt::Key_S:
  case Qt::Key_Minus:
  case Qt::Key_Down:
    showRange(charts::zoomed(range, 1 / kZoomIn, middle, m_limits));
    break;
  case Qt::Key_A:
  case Qt::Key_Left:
    showRange(charts::panned(range, -kPan, m_limits));
    break;
  case Qt::Key_D:
  case Qt::Key_Right:
    showRange(charts::panned(range, kPan, m_limits));
    break;
  case Qt::Key_Home:
    showAll();
    break;
  case Qt::Key_F:
    if (m_filterRange) {
      showRange(charts::padded(*m_filterRange, 0.05, m_limits));
    }
    break;
  case Qt::Key_Comma:
    stepMark(-1);
    break;
  case Qt::Key_Period:
    stepMark(1);
    break;
  default:
    ChartView::keyPressEvent(event);
    return;
  }
  event->accept();
}

void TimelineView::stepMark(int direction) {
  const std::vector<analysis::TimelineMark> &marks = m_timeline->data().view.marks;
  const std::optional<analysis::TimelineMark> &current = m_timeline->current();
  const auto [first, last] =
      std::pair(static_cast<double>(m_timeline->range().fromNs), static_cast<double>(m_timeline->range().toNs));
  const bool isInSight = current && current->startNs >= first && current->startNs <= last;
  const auto nextFrom = [&marks, direction](double from) {
    const analysis::TimelineMark *next = nullptr;
    for (const analysis::TimelineMark &mark : marks) {
      const bool isAhead = direction > 0 ? mark.startNs > from : mark.startNs < from;
      const bool isNearer = next == nullptr || (direction > 0 ? mark.startNs < next->startNs : mark.startNs > next->startNs);
      if (isAhead && isNearer) {
        next = &mark;
      }
    }
    return next;
  };
  // Without a call to go on from, the first or the last in sight is the one to begin with.
  const double infinity = std::numeric_limits<double>::infinity();
  const double end = direction > 0 ? -infinity : infinity;
  const analysis::TimelineMark *next = nextFrom(isInSight ? current->startNs : end);
  // Nobody went to the call that is shown at the start: that it is the last one must not stop the first key.
  if (next == nullptr && m_isSuggested) {
    next = nextFrom(end);
  }
  if (next != nullptr) {
    Q_EMIT markChosen(*next);
  }
}

TimeRange TimelineView::draggedRange(qreal x) const {
  const double now = m_timeline->timeAt(x);
  return {static_cast<std::uint64_t>(std::min(m_pressedNs, now)), static_cast<std::uint64_t>(std::max(m_pressedNs, now))};
}

void TimelineView::mousePressEvent(QMouseEvent *event) {
  setFocus();
  // What a tip was about moves away, or is covered, when the mouse drags.
  Q_EMIT markHovered(nullptr, {});
  m_pressed = event->pos();
  m_pressedNs = m_timeline->timeAt(event->position().x());
  m_rangeAtPress = m_timeline->range();
  const bool pans =
      event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier) != 0);
  if (pans) {
    m_drag = Drag::Pan;
    viewport()->setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton) {
    m_drag = Drag::Select;
  }
  event->accept();
}

void TimelineView::mouseMoveEvent(QMouseEvent *event) {
  const bool moved = (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
  if (m_drag == Drag::Select && moved) {
    m_timeline->setRangeMark(draggedRange(event->position().x()));
  } else if (m_drag == Drag::Pan && moved) {
    const double share = (m_pressed.x() - event->position().x()) / m_timeline->plotArea().width();
    showRange(charts::panned(m_rangeAtPress, share, m_limits));
  } else if (m_drag == Drag::None) {
    hoverAt(event->pos());
  }
  event->accept();
}

void TimelineView::hoverAt(const QPoint &place) {
  const analysis::TimelineMark *mark = m_timeline->markAt(place);
  const analysis::CompileSpan *compile = mark != nullptr ? nullptr : m_timeline->compileAt(place);
  viewport()->setCursor(mark != nullptr || compile != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (mark != nullptr) {
    Q_EMIT markHovered(mark, place);
  } else if (compile != nullptr) {
    Q_EMIT compileHovered(compile, place);
  } else if (const analysis::ProcessStart *start = m_timeline->startAt(place)) {
    Q_EMIT startHovered(start, place);
  } else if (const analysis::ThreadName *thread = m_timeline->threadAt(place)) {
    Q_EMIT threadHovered(*thread, place);
  } else if (const std::vector<charts::SectionBand> sections = m_timeline->sectionsAt(place); !sections.empty()) {
    Q_EMIT sectionsHovered(sections, place);
  } else {
    Q_EMIT markHovered(nullptr, place);
  }
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event) {
  const Drag drag = std::exchange(m_drag, Drag::None);
  viewport()->setCursor(Qt::ArrowCursor);
  const bool moved = (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
  if (drag == Drag::Select && moved) {
    const TimeRange range = draggedRange(event->position().x());
    if (range.lengthNs() > 0) {
      Q_EMIT rangeSelected(range);
    }
  } else if (drag == Drag::Select) {
    m_timeline->setRangeMark(m_filterRange);
    if (const analysis::TimelineMark *mark = m_timeline->markAt(event->position())) {
      Q_EMIT markChosen(analysis::TimelineMark(*mark));
    } else if (const analysis::CompileSpan *compile = m_timeline->compileAt(event->position())) {
      Q_EMIT compileChosen(analysis::CompileSpan(*compile));
    }
  }
  event->accept();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event) {
  if (const analysis::CompileSpan *compile = m_timeline->compileAt(event->position())) {
    showRange(charts::padded({compile->startNs, compile->startNs + compile->totalNs}, 0.1, m_limits));
  }
  event->accept();
}

void TimelineView::leaveEvent(QEvent *event) {
  ChartView::leaveEvent(event);
  Q_EMIT markHovered(nullptr, {});
}

void TimelineView::resizeEvent(QResizeEvent *event) {
  ChartView::resizeEvent(event);
  Q_EMIT resized();
}

} // namespace jitscope::ui
