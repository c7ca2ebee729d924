// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overview_page.h"

#include "analysis/findings/findings.h"
#include "analysis/summary.h"
#include "base/try.h"
#include "base/units.h"
#include "report/document/finding_sections.h"
#include "report/document/headline_text.h"
#include "session/session_reader.h"
#include "ui/charts/time_zoom.h"
#include "ui/pages/overview/outcome_strip.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace jitscope::ui {

namespace {

using Lane = SessionStore::Lane;

struct Headline {
  analysis::CompileTotals totals;
  std::uint64_t calls = 0;
  analysis::TimeRange range; ///< of all that was recorded, or that the filter selects
};

base::Result<Headline> readHeadlineFigures(session::SessionReader &reader, analysis::CallSpanIndex &index) {
  JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
  JITSCOPE_TRY_VOID(index.update(reader.database()));
  JITSCOPE_TRY(const analysis::CompileTotals totals, analysis::readCompileTotals(reader, index.selection()));
  const std::uint64_t endNs = std::max({index.extent().toNs, reader.session().durationNs, charts::kShortestRangeNs});
  return Headline{totals, index.calls(), index.selection().range.value_or(analysis::TimeRange{0, endNs})};
}

QString paragraph(const QString &html) { return QStringLiteral("<p style=\"margin:2px 0 4px 0\">%1</p>").arg(html); }

} // namespace

OverviewPage::OverviewPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Overview"), parent), m_headline(new QLabel(this)), m_progress(new QLabel(this)),
      m_strip(new OutcomeStrip(palette(), this)), m_text(new QTextBrowser(this)) {
  setObjectName(QStringLiteral("overview"));
  m_headline->setObjectName(QStringLiteral("headline"));
  m_headline->setWordWrap(true);
  m_headline->setTextFormat(Qt::PlainText);
  m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_headline->setContentsMargins(8, 8, 8, 0);
  QFont font = m_headline->font();
  font.setPointSizeF(font.pointSizeF() * 1.3);
  font.setBold(true);
  m_headline->setFont(font);
  m_progress->setObjectName(QStringLiteral("overviewProgress"));
  m_progress->setTextFormat(Qt::PlainText);
  m_progress->setContentsMargins(8, 4, 8, 0);
  m_progress->hide();
  m_text->setObjectName(QStringLiteral("findings"));
  m_text->setAccessibleName(tr("Findings"));
  m_text->setOpenLinks(false);
  m_text->setFrameShape(QFrame::NoFrame);
  m_text->document()->setDocumentMargin(8);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_headline);
  layout->addWidget(m_progress);
  layout->addWidget(m_strip);
  layout->addWidget(m_text, 1);
  setFocusProxy(m_text);

  connect(m_strip, &OutcomeStrip::resized, this, &OverviewPage::readStrip);
  connect(m_strip, &OutcomeStrip::timelineWanted, this, [this] { Q_EMIT pageWanted(QStringLiteral("timeline")); });
  connect(m_text, &QTextBrowser::anchorClicked, this, &OverviewPage::follow);
  connect(&store(), &SessionStore::entering, this, &OverviewPage::forget);
  OverviewPage::clear();
}

QString OverviewPage::hint() const { return tr("What compiling cost, what is wrong, and what to do"); }

void OverviewPage::setProgress(const QString &state) {
  m_progress->setText(state);
  m_progress->setVisible(!state.isEmpty());
}

void OverviewPage::clear() {
  forget();
  m_headline->setText(tr("No session is open."));
  m_text->clear();
}

void OverviewPage::forget() {
  m_index.reset();
  m_findings.clear();
  m_hasFindings = false;
  m_isReadingFindings = false;
  m_headline->setText(tr("Reading the session…"));
  m_strip->setView({});
  m_shownHtml.clear();
  m_text->setHtml(paragraph(tr("Looking for findings…")));
}

void OverviewPage::recolour() {
  m_strip->setPalette(palette());
  showFindings();
}

void OverviewPage::refresh() {
  if (!m_index || m_index->selection() != filter().selection()) {
    m_index = std::make_shared<analysis::CallSpanIndex>(filter().selection());
  }
  readHeadline();
  readFindings();
}

void OverviewPage::readHeadline() {
  store().ask(
      Lane::Quick, QStringLiteral("overview"), this,
      [index = m_index](session::SessionReader &reader) { return readHeadlineFigures(reader, *index); },
      [this](const Headline &headline) {
        m_calls = headline.calls;
        m_compiles = headline.totals.compiles;
        const std::string text = report::headlineText(headline.calls, headline.totals, headline.range.lengthNs());
        m_headline->setText(lineText(text) + QLatin1Char('.'));
        readStrip();
        showFindings();
      });
}

void OverviewPage::readStrip() {
  if (!m_index || !store().isOpen() || !isVisible()) {
    return;
  }
  store().ask(
      Lane::Quick, QStringLiteral("overview-strip"), this,
      [index = m_index, columns = m_strip->columns()](session::SessionReader &reader) -> base::Result<analysis::TimelineView> {
        JITSCOPE_TRY(const Headline headline, readHeadlineFigures(reader, *index));
        return index->view(reader.database(), headline.range, columns);
      },
      [this](analysis::TimelineView view) { m_strip->setView(std::move(view)); });
}

void OverviewPage::readFindings() {
  // A newer question would cancel this one, and a session that grows faster than its findings are read would never show any.
  if (m_isReadingFindings) {
    m_isFindingsStale = true;
    return;
  }
  m_isReadingFindings = true;
  m_isFindingsStale = false;
  store().ask(
      Lane::Bulk, QStringLiteral("overview-findings"), this,
      [](session::SessionReader &reader) { return analysis::readFindings(reader); },
      [this](std::vector<analysis::Finding> findings) {
        m_isReadingFindings = false;
        m_hasFindings = true;
        m_findings = std::move(findings);
        showFindings();
        if (m_isFindingsStale) {
          readFindings();
        }
      },
      [this](const base::Error &error) {
        m_isReadingFindings = false;
        m_text->setPlainText(sentenceText(toText(base::describe(error))));
      });
}

void OverviewPage::showFindings() {
  if (!m_hasFindings) {
    return;
  }
  QString html;
  if (!filter().selection().isEmpty()) {
    html += paragraph(tr("<i>Findings are about the whole session, whatever the filter selects.</i>"));
  }
  if (m_findings.empty() && m_calls > 0) {
    html += paragraph(lineText(report::noFindingsText(m_calls, m_compiles)).toHtmlEscaped());
  }
  for (std::size_t i = 0; i < m_findings.size(); ++i) {
    html += findingHtml(i);
  }
  // Setting the same text again, as on each growth of a session, would lose the place that was scrolled to.
  if (html != m_shownHtml) {
    m_shownHtml = html;
    m_text->setHtml(html);
  }
}

QString OverviewPage::findingHtml(std::size_t index) const {
  const analysis::Finding &finding = m_findings[index];
  const QColor colour = palette().outcome(isAboutCorrectness(finding.kind) ? event::Outcome::Miss : event::Outcome::Retrace);
  QString html = QStringLiteral("<h3 style=\"margin:10px 0 2px 0\"><span style=\"color:%1\">■</span> %2</h3>")
                     .arg(colour.name(), lineText(report::findingHeadline(finding), 1000).toHtmlEscaped());
  for (const std::string &text : report::findingParagraphs(finding)) {
    html += paragraph(lineText(text, 3000).toHtmlEscaped());
  }
  QStringList links;
  const auto add = [&links, index](const char *what, const QString &text) {
    links << QStringLiteral("<a href=\"%1/%2\">%3</a>").arg(index).arg(QLatin1String(what), text.toHtmlEscaped());
  };
  if (finding.line > 0) {
    add("line", tr("Line %1").arg(finding.line));
  }
  if (!finding.rows.calls.empty()) {
    add("calls", tr("Calls"));
  }
  if (!finding.rows.templates.empty() || !finding.rows.functions.empty()) {
    add("templates", tr("Templates"));
  }
  if (!finding.rows.compiles.empty()) {
    add("compiles", tr("Compiles"));
    add("code", tr("Code"));
  }
  if (!finding.rows.cases.empty()) {
    add("cases", tr("Latency"));
  }
  return links.isEmpty() ? html : html + paragraph(links.join(QStringLiteral(" · ")));
}

void OverviewPage::follow(const QUrl &link) {
  const QStringList parts = link.toString().split(QLatin1Char('/'));
  const std::size_t index = parts.value(0).toULongLong();
  if (parts.size() != 2 || index >= m_findings.size()) {
    return;
  }
  const analysis::FindingRows &rows = m_findings[index].rows;
  const QString &what = parts[1];
  if (what == QLatin1String("line")) {
    Q_EMIT lineWanted(m_findings[index].line);
  } else if (what == QLatin1String("calls")) {
    focus().setCall(rows.calls.front(), {});
    Q_EMIT pageWanted(QStringLiteral("timeline"));
  } else if (what == QLatin1String("templates")) {
    if (!rows.templates.empty()) {
      focus().setTemplate(rows.templates.front());
    }
    Q_EMIT pageWanted(QStringLiteral("templates"));
  } else if (what == QLatin1String("compiles") || what == QLatin1String("code")) {
    focus().setCompile(rows.compiles.front(), {});
    Q_EMIT pageWanted(what == QLatin1String("code") ? QStringLiteral("diff") : what);
  } else if (what == QLatin1String("cases")) {
    Q_EMIT pageWanted(QStringLiteral("latency"));
  }
}

} // namespace jitscope::ui
