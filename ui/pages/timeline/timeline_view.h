// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/timeline_chart.h"
#include "ui/widgets/chart_view.h"

#include <optional>

namespace jitscope::ui {

/// The timeline under mouse and keys. It moves its chart at once and asks for the data of the new range.
class TimelineView : public ChartView {
  Q_OBJECT

public:
  explicit TimelineView(const charts::Palette &palette, QWidget *parent = nullptr);

  [[nodiscard]] charts::TimelineChart &timeline() const { return *m_timeline; }
  /// The whole of the session: what Home shows and what cannot be left.
  void setLimits(analysis::TimeRange limits);
  [[nodiscard]] const analysis::TimeRange &limits() const { return m_limits; }
  /// True while everything is shown, so that a session being recorded stays so.
  [[nodiscard]] bool showsAll() const { return m_showsAll; }
  void showRange(analysis::TimeRange range);
  void showAll();
  /// The range of the filter, which stays marked.
  void setFilterRange(std::optional<analysis::TimeRange> range);
  /// The ringed call is shown though nobody chose it, so that keys do not go on from it.
  void setSuggested(bool isSuggested) { m_isSuggested = isSuggested; }

Q_SIGNALS:
  /// Data for this range are wanted.
  void rangeWanted(const jitscope::analysis::TimeRange &range);
  /// A range was drawn with the mouse.
  void rangeSelected(const jitscope::analysis::TimeRange &range);
  void markChosen(const jitscope::analysis::TimelineMark &mark);
  void compileChosen(const jitscope::analysis::CompileSpan &compile);
  /// The mouse rests over a mark or compile; null for neither.
  void markHovered(const jitscope::analysis::TimelineMark *mark, const QPoint &place);
  void compileHovered(const jitscope::analysis::CompileSpan *compile, const QPoint &place);
  /// The mouse rests over what a process of a cold leg did unrecorded.
  void startHovered(const jitscope::analysis::ProcessStart *start, const QPoint &place);
  /// The mouse rests over the name of a thread.
  void threadHovered(const jitscope::analysis::ThreadName &thread, const QPoint &place);
  /// The mouse rests over the names of sections.
  void sectionsHovered(const std::vector<jitscope::charts::SectionBand> &sections, const QPoint &place);
  /// The size in pixels, hence the number of columns, changed.
  void resized();

protected:
  void wheelEvent(QWheelEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  enum class Drag : std::uint8_t { None, Select, Pan };

  void stepMark(int direction);
  void hoverAt(const QPoint &place);
  [[nodiscard]] analysis::TimeRange draggedRange(qreal x) const;

  charts::TimelineChart *m_timeline;
  analysis::TimeRange m_limits;
  std::optional<analysis::TimeRange> m_filterRange;
  bool m_showsAll = true;
  bool m_isSuggested = false;
  Drag m_drag = Drag::None;
  QPoint m_pressed;
  double m_pressedNs = 0;
  analysis::TimeRange m_rangeAtPress;
};

} // namespace jitscope::ui
