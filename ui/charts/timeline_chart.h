// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_span_index.h"
#include "analysis/compiles/compile_list.h"
#include "session/import/merged_part.h"
#include "ui/charts/palette.h"

#include <QPixmap>
#include <QString>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>

#include <array>
#include <optional>
#include <vector>

namespace jitscope::charts {

/// A stretch of the session with a name of its own.
struct SectionBand {
  QString name;
  std::uint64_t startNs = 0;
  std::uint64_t endNs = 0;
};

/// What a timeline shows.
struct TimelineData {
  analysis::TimelineView view;
  std::vector<analysis::CompileSpan> compiles; ///< those that touch the range, by start
  std::vector<SectionBand> sections;
  std::vector<analysis::ProcessStart> starts; ///< of the processes of cold legs
  std::vector<session::MergedPart> parts;     ///< that the session was merged from; none where it was recorded
  QString message;                            ///< written into a plot without marks
};

/// How a thread's row is named: "main", "thread 2", "cold 1"; in a session of several runs "run 2" and "2: cold 1".
[[nodiscard]] QString threadLabel(const analysis::ThreadName &name, const std::vector<session::MergedPart> &parts);

/// Every call by its start and its duration, and below that a row for each thread: how busy it was, and its compiles split by
/// phase. The axes are Qt's; all marks are painted as one item, since an item for each would take seconds.
class TimelineChart : public QChart {
  Q_OBJECT

public:
  explicit TimelineChart(const Palette &palette);
  ~TimelineChart() override;

  void setPalette(const Palette &palette);
  void setData(TimelineData data);
  [[nodiscard]] const TimelineData &data() const { return m_data; }
  /// Shows another range at once, with what is there, until new data come.
  void setRange(analysis::TimeRange range);
  [[nodiscard]] const analysis::TimeRange &range() const { return m_range; }

  /// A range being dragged or selected; nothing for none.
  void setRangeMark(std::optional<analysis::TimeRange> range);
  /// The call that is looked at, ringed; nothing for none.
  void setCurrent(std::optional<analysis::TimelineMark> mark);
  [[nodiscard]] const std::optional<analysis::TimelineMark> &current() const { return m_current; }

  /// The compile that is looked at, framed; none for an id that is none.
  void setCurrentCompile(base::CompileId id);
  [[nodiscard]] base::CompileId currentCompile() const { return m_currentCompile; }

  /// The moment at a place of the chart, in nanoseconds, held within the range.
  [[nodiscard]] double timeAt(qreal x) const;
  [[nodiscard]] qreal xOf(double ns) const;
  [[nodiscard]] qreal yOf(double durationNs) const;
  /// The mark nearest to a place, within a few pixels; null for none.
  [[nodiscard]] const analysis::TimelineMark *markAt(QPointF place) const;
  /// The compile at a place in the rows of threads; null for none.
  [[nodiscard]] const analysis::CompileSpan *compileAt(QPointF place) const;
  /// The process whose unrecorded time, or whose name, is at a place in the rows of threads; null for none.
  [[nodiscard]] const analysis::ProcessStart *startAt(QPointF place) const;
  /// The thread whose name is at a place; null for none.
  [[nodiscard]] const analysis::ThreadName *threadAt(QPointF place) const;
  /// The sections whose beginning, or whose band, is at a place in the line of their names, in their order: where they are short
  /// there are several.
  [[nodiscard]] std::vector<SectionBand> sectionsAt(QPointF place) const;
  /// Where the row of a thread is; the index counts `data().view.threads` as they are shown, from the top.
  [[nodiscard]] QRectF threadRow(std::size_t index) const;
  /// How many columns the plot has: its width in pixels.
  [[nodiscard]] std::uint32_t columns() const;
  /// Whether it is so narrow that the phases of compiles are explained on a line of their own.
  [[nodiscard]] bool hasTwoLegendLines() const;

protected:
  void resizeEvent(QGraphicsSceneResizeEvent *event) override;

private:
  class MarksItem;

  void layOut();
  void updateAxes();

  Palette m_palette;
  TimelineData m_data;
  analysis::TimeRange m_range;
  double m_minLevel = 0;
  double m_maxLevel = 1;
  std::optional<analysis::TimeRange> m_rangeMark;
  std::optional<analysis::TimelineMark> m_current;
  base::CompileId m_currentCompile;
  QCategoryAxis *m_timeAxis;
  QCategoryAxis *m_durationAxis;
  MarksItem *m_marks;
};

} // namespace jitscope::charts
