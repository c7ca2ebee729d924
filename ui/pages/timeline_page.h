// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/call_details.h"
#include "analysis/call_span_index.h"
#include "analysis/compile_list.h"
#include "ui/charts/timeline_chart.h"
#include "ui/pages/page.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QTextBrowser;
class QUrl;

namespace jitscope::ui {

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
  void showCompile(const analysis::CompileSpan &compile);
  void hover(const analysis::TimelineMark *mark, const QPoint &place);
  void showDetails();
  void follow(const QUrl &link);
  void setHint(const QString &text);

  StormLabel *m_storms;
  TimelineView *m_view;
  QTextBrowser *m_details;
  /// Touched on the quick lane only.
  std::shared_ptr<analysis::CallSpanIndex> m_index;
  std::shared_ptr<const std::vector<analysis::CompileSpan>> m_compiles;
  std::vector<charts::SectionBand> m_sections;
  std::vector<analysis::ProcessStart> m_starts;
  std::optional<analysis::CallDetails> m_call;
  base::CallId m_suggested; ///< the call that is shown though nobody chose it; none otherwise
  QTimer m_hoverTimer;
  analysis::TimelineMark m_hovered;
  QPoint m_hoverPlace;
};

} // namespace jitscope::ui
