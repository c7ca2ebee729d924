// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_span_index.h"
#include "analysis/findings/finding.h"
#include "ui/pages/page.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

class QLabel;
class QTextBrowser;
class QUrl;

namespace jitscope::ui {

class OutcomeStrip;

/// What compiling cost, outcomes over time, and what is wrong, with links to the rows that each finding stands on.
class OverviewPage : public Page {
  Q_OBJECT

public:
  OverviewPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  [[nodiscard]] const std::vector<analysis::Finding> &findings() const { return m_findings; }
  /// Shows what the run is doing that is recorded; nothing for an empty text.
  void setProgress(const QString &state);

protected:
  void refresh() override;
  void clear() override;
  void recolour() override;

private:
  /// Shows nothing of the session that was open.
  void forget();
  void readHeadline();
  void readFindings();
  void readStrip();
  void showFindings();
  /// A finding as HTML. Its links are "INDEX/WHAT", where WHAT is line, calls, templates, compiles or cases.
  [[nodiscard]] QString findingHtml(std::size_t index) const;
  void follow(const QUrl &link);

  QLabel *m_headline;
  QLabel *m_progress;
  OutcomeStrip *m_strip;
  QTextBrowser *m_text;
  std::shared_ptr<analysis::CallSpanIndex> m_index; ///< only the lane that answers uses what it points to
  std::vector<analysis::Finding> m_findings;
  QString m_shownHtml;
  std::uint64_t m_calls = 0;
  std::uint64_t m_compiles = 0;
  bool m_hasFindings = false; ///< they have been read at least once
  bool m_isReadingFindings = false;
  bool m_isFindingsStale = false; ///< the session has grown while they were read
};

} // namespace jitscope::ui
