// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_details.h"
#include "analysis/calls/call_span_index.h"
#include "analysis/compiles/compile_list.h"
#include "ui/charts/timeline_chart.h"
#include "ui/pages/page.h"

#include <functional>
#include <memory>
#include <optional>

class QTextBrowser;
class QUrl;

namespace jitscope::ui {

class LinkLabel;
class StormLabel;
class TimelineView;

/// Every call in its place, and the details of one.
class TimelinePage : public Page {
  Q_OBJECT

public:
  TimelinePage(Workspace workspace, QWidget *parent);
  ~TimelinePage() override;

  [[nodiscard]] QString hint() const override;
  [[nodiscard]] TimelineView &view() const { return *m_view; }
  [[nodiscard]] QTextBrowser &details() const { return *m_details; }

protected:
  void refresh() override;
  void clear() override;
  void recolour() override;

private:
  void readBase();
  void readView(const analysis::TimeRange &range);
  void choose(const analysis::TimelineMark &mark);
  /// Shows the longest call until somebody chooses one.
  void suggest();
  [[nodiscard]] bool isChosen() const;
  [[nodiscard]] bool isNarrow() const;
  /// Asks which call a mark stands for: of several the longest.
  void withCallOf(const QString &topic, const analysis::TimelineMark &mark, std::function<void(base::CallId)> use);
  void showCall(base::CallId id, std::optional<analysis::TimelineMark> mark);
  /// What is shown becomes what all pages look at.
  void chooseShown();
  void showCompile(const analysis::CompileSpan &compile);
  /// The parts of the filter that leave out what is shown in detail.
  [[nodiscard]] std::vector<Filter::Part> hiding() const;
  /// Says so, and how to see it again.
  [[nodiscard]] QString hiddenText() const;
  /// Shows no call any more.
  void letGo();
  /// Rings the call that is shown, unless the filter hides its mark.
  void ring();
  void showDetails();
  void follow(const QUrl &link);
  void setHint(const QString &text);

  StormLabel *m_storms;
  LinkLabel *m_progress; ///< of a benchmark that is being recorded
  TimelineView *m_view;
  QTextBrowser *m_details;
  /// Touched on the quick lane only.
  std::shared_ptr<analysis::CallSpanIndex> m_index;
  std::shared_ptr<const std::vector<analysis::CompileSpan>> m_compiles;
  std::vector<charts::SectionBand> m_sections;
  std::vector<analysis::ProcessStart> m_starts;
  std::vector<session::MergedPart> m_parts;
  std::optional<analysis::CallDetails> m_call;
  std::optional<analysis::TimelineMark> m_mark; ///< of `m_call`; none for a compile without a call
  base::CallId m_suggested;                     ///< the call that is shown though nobody chose it; none otherwise
};

} // namespace jitscope::ui
