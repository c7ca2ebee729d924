// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_span_index.h"
#include "ui/charts/timeline_chart.h"

#include <QObject>
#include <QPoint>
#include <QTimer>

#include <vector>

namespace jitscope::ui {

class SessionStore;
class TimelineView;

/// Says what is under the mouse in a timeline.
class TimelineTips : public QObject {
  Q_OBJECT

public:
  /// Both outlive it.
  TimelineTips(SessionStore &store, TimelineView &view);

private:
  void hoverMark(const analysis::TimelineMark *mark, const QPoint &place);
  void hoverStart(const analysis::ProcessStart &start, const QPoint &place);
  void hoverThread(const analysis::ThreadName &thread, const QPoint &place);
  void hoverSections(const std::vector<charts::SectionBand> &sections, const QPoint &place);
  /// Asks what a mark stands for, and says it.
  void showMark();
  /// Says something at once, in place of what a mark would say.
  void show(const QString &text, const QPoint &place);

  SessionStore &m_store;
  TimelineView &m_view;
  QTimer m_timer;
  analysis::TimelineMark m_mark;
  QPoint m_place;
};

} // namespace jitscope::ui
