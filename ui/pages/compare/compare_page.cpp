// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_page.h"
#include "report/document/comparison_document.h"

#include "base/try.h"
#include "ui/widgets/tables/item_view.h"
#include "ui/widgets/text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace jitscope::ui {

namespace {

using analysis::CompileComparison;
using analysis::CountComparison;
using analysis::LegComparison;
using analysis::RemarkChange;
using analysis::Verdict;

struct CompareAnswer {
  analysis::Comparison comparison;
  std::vector<RemarkChange> remarks;
};

} // namespace

ComparePage::ComparePage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Compare"), parent), m_names(new QLabel(this)), m_verdict(new QLabel(this)),
      m_choose(new QPushButton(tr("Compare &with…"), this)), m_swap(new QPushButton(tr("S&wap"), this)),
      m_tabs(new QTabWidget(this)),
      m_legs(new RowsModel<LegComparison>(
          comparedLegColumns(),
          [](const LegComparison &row) { return QVariant(caseText(row.name, row.input) + toText(nameOf(row.leg))); }, this)),
      m_compiles(new RowsModel<CompileComparison>(
          comparedCompileColumns(),
          [](const CompileComparison &row) { return QVariant(toText(row.key.function) + toText(row.pipelineLabel())); }, this)),
      m_counts(new RowsModel<CountComparison>(
          comparedCountColumns(),
          [](const CountComparison &row) { return QVariant(toText(nameOf(row.key.count)) + toText(row.key.function)); }, this)),
      m_remarks(new RowsModel<RemarkChange>(
          remarkChangeColumns(),
          [](const RemarkChange &row) { return QVariant(toText(row.remark.functionName) + toText(row.remark.message)); }, this)),
      m_legTable(new ItemView(QStringLiteral("compareLegs"), tr("Times compared"), this)),
      m_compileTable(new ItemView(QStringLiteral("compareCompiles"), tr("Compile times compared"), this)),
      m_countTable(new ItemView(QStringLiteral("compareCounts"), tr("Counts compared"), this)),
      m_remarkTable(new ItemView(QStringLiteral("compareRemarks"), tr("Remarks that only one session has"), this)) {
  setObjectName(QStringLiteral("compare"));
  for (QLabel *label : {m_names, m_verdict}) {
    label->setWordWrap(true);
    label->setMinimumWidth(1); // the longest word, which may be a path, would be the least otherwise
  }
  m_verdict->setObjectName(QStringLiteral("verdict"));
  m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_choose->setObjectName(QStringLiteral("compareWith"));
  m_swap->setObjectName(QStringLiteral("compareSwap"));
  for (QPushButton *button : {m_choose, m_swap}) {
    // Outside of dialogs Enter does nothing otherwise.
    button->setAutoDefault(true);
  }
  auto *bar = new QHBoxLayout;
  bar->addWidget(m_names, 1);
  bar->addWidget(m_choose);
  bar->addWidget(m_swap);
  addTabs();
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 0);
  layout->addLayout(bar);
  layout->addWidget(m_verdict);
  layout->addWidget(m_tabs, 1);
  layout->addStretch(0);
  connect(m_choose, &QPushButton::clicked, this, &ComparePage::chooseOther);
  connect(m_swap, &QPushButton::clicked, this, [this] {
    m_isSwapped = !m_isSwapped;
    refresh();
  });
  ComparePage::clear();
}

void ComparePage::addTabs() {
  m_legTable->setSource(m_legs, 0, Qt::AscendingOrder);
  // As they come: what took longest first.
  m_compileTable->setSource(m_compiles, -1, Qt::AscendingOrder);
  m_countTable->setSource(m_counts, 1, Qt::AscendingOrder);
  m_remarkTable->setSource(m_remarks, 0, Qt::AscendingOrder);
  m_compileTable->setPlaceholder(tr("Nothing was compiled in either session."));
  m_countTable->setPlaceholder(tr("There is nothing to count."));
  m_remarkTable->setPlaceholder(tr("Both sessions have the same remarks."));
  m_tabs->setObjectName(QStringLiteral("compareTabs"));
  m_tabs->setDocumentMode(true);
  for (ItemView *table : {m_legTable, m_compileTable, m_countTable, m_remarkTable}) {
    m_tabs->addTab(table, QString());
  }
}

QString ComparePage::hint() const { return tr("Compare this session with another one"); }

QString ComparePage::names() const { return m_names->text(); }

QString ComparePage::verdict() const { return m_verdict->text(); }

void ComparePage::chooseOther() {
  QSettings settings;
  const QString key = QStringLiteral("files/openFolder");
  // Sessions that belong together are beside each other more often than not.
  const QString folder = store().isOpen() ? QFileInfo(store().path()).absolutePath() : settings.value(key).toString();
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Compare with a session"), folder, tr("Sessions (*.jitscope);;All files (*)"));
  if (!path.isEmpty()) {
    settings.setValue(key, QFileInfo(path).absolutePath());
    compareWith(path);
  }
}

void ComparePage::compareWith(const QString &path) {
  m_other = path;
  m_isNew = true;
  m_isSwapped = false;
  refresh();
}

void ComparePage::clear() {
  m_other.clear();
  m_legs->setRows({});
  m_compiles->setRows({});
  m_counts->setRows({});
  m_remarks->setRows({});
  m_swap->setEnabled(false);
  m_tabs->hide();
  setFocusProxy(m_choose);
  m_names->setText(tr("No comparison yet."));
  m_verdict->setText(tr("Jitscope compares the open session with another one; the earlier one is the base. It compares medians of "
                        "benchmark cases by a rank test, compile times by function and pipeline, exact counts of compiles, of "
                        "calls that compiled and of templates, and the optimizer's remarks."));
}

void ComparePage::refresh() {
  if (m_other.isEmpty()) {
    return;
  }
  if (m_isNew) {
    m_names->setText(tr("%1<br>%2").arg(store().path().toHtmlEscaped(), m_other.toHtmlEscaped()));
  }
  m_verdict->setText(tr("Comparing…"));
  store().ask(
      SessionStore::Lane::Bulk, QStringLiteral("compare"), this,
      [path = toPath(m_other), isSwapped = m_isSwapped](session::SessionReader &open) -> base::Result<CompareAnswer> {
        JITSCOPE_TRY(std::unique_ptr<session::SessionReader> other, session::SessionReader::open(path));
        // Both times are UTC and written alike.
        const bool otherIsEarlier = other->session().info.startedUtc < open.session().info.startedUtc;
        session::SessionReader &base = otherIsEarlier != isSwapped ? *other : open;
        session::SessionReader &contender = &base == &open ? *other : open;
        JITSCOPE_TRY(analysis::Comparison comparison, analysis::compareSessions(base, contender));
        JITSCOPE_TRY(std::vector<RemarkChange> remarks, analysis::readRemarkChanges(base, contender));
        return CompareAnswer{std::move(comparison), std::move(remarks)};
      },
      [this](CompareAnswer answer) { show(answer.comparison, std::move(answer.remarks)); },
      [this](const base::Error &error) {
        if (error.code != base::ErrorCode::StorageCancelled) {
          m_verdict->setText(sentenceText(toText(base::describe(error))));
        }
      });
}

QStringList ComparePage::verdictLines(const analysis::Comparison &comparison) const {
  QStringList lines;
  const auto isUnjudged = [](const CountComparison &count) {
    return count.base != count.contender && count.verdict != Verdict::Worse && count.verdict != Verdict::Better;
  };
  lines << QStringLiteral("<b>%1</b>").arg(lineText(report::comparisonVerdict(comparison), 400).toHtmlEscaped());
  lines << tr("Counts: %1 worse, %2 better, %3 different but not judged.")
               .arg(countText(comparison.countsWith(Verdict::Worse)), countText(comparison.countsWith(Verdict::Better)),
                    countText(static_cast<std::uint64_t>(std::ranges::count_if(comparison.counts, isUnjudged))));
  if (!filter().selection().isEmpty()) {
    lines << tr("This page compares whole sessions: the filter does not apply here.");
  }
  const std::vector<std::string> doubts = comparison.doubts();
  for (const std::string &text : doubts) {
    lines << QStringLiteral("⚠ ") + lineText(text, 400).toHtmlEscaped();
  }
  // What differs is often what is being compared.
  QStringList notes;
  for (const std::string &text : comparison.warnings) {
    notes << lineText(text, 400).toHtmlEscaped();
  }
  if (!notes.isEmpty()) {
    lines << tr("Note: %1").arg(notes.join(QStringLiteral("; ")));
  }
  const auto addNames = [&lines](const QString &what, const std::vector<std::string> &names) {
    QStringList shown;
    for (const std::string &name : names) {
      shown << lineText(name, 80).toHtmlEscaped();
    }
    if (!shown.isEmpty()) {
      lines << what.arg(shown.mid(0, 8).join(QStringLiteral(", ")) + (shown.size() > 8 ? QStringLiteral(", …") : QString()));
    }
  };
  addNames(tr("Only in the base: %1"), comparison.onlyInBase);
  addNames(tr("Only in the contender: %1"), comparison.onlyInContender);
  return lines;
}

void ComparePage::show(const analysis::Comparison &comparison, std::vector<RemarkChange> remarks) {
  const auto nameOfSide = [this](const analysis::ComparedSession &side) {
    const QString path = QString::fromStdString(side.path).toHtmlEscaped();
    const bool isOpen = side.path == toPath(store().path()).string();
    return tr("%1 (%2%3)").arg(path, lineText(side.session.info.startedUtc, 30).toHtmlEscaped(), isOpen ? tr(", open") : QString());
  };
  m_names->setText(
      tr("<b>Base:</b> %1<br><b>Contender:</b> %2").arg(nameOfSide(comparison.base), nameOfSide(comparison.contender)));
  m_verdict->setText(verdictLines(comparison).join(QStringLiteral("<br>")));
  m_legTable->setPlaceholder(
      comparison.hasOnlyCounts
          ? tr("Neither session measured a benchmark case, so there are no call times to compare. A script measures with "
               "bench { { \"name\", f, a, b } }. Compile times are on the tab beside this one.")
          : tr("The sessions have no benchmark case in common."));
  m_legs->setRows(comparison.legs);
  m_compiles->setRows(comparison.compiles);
  m_counts->setRows(comparison.counts);
  m_remarks->setRows(std::move(remarks));
  const std::array<std::tuple<QString, std::size_t, ItemView *>, 4> tabs{
      {{tr("Times (%1)"), m_legs->rows().size(), m_legTable},
       {tr("Compile times (%1)"), m_compiles->rows().size(), m_compileTable},
       {tr("Counts (%1)"), m_counts->rows().size(), m_countTable},
       {tr("Remarks (%1)"), m_remarks->rows().size(), m_remarkTable}}};
  for (const auto &[title, rows, table] : tabs) {
    m_tabs->setTabText(m_tabs->indexOf(table), title.arg(countText(rows)));
  }
  if (std::exchange(m_isNew, false)) {
    const auto *const first = std::ranges::find_if(tabs, [](const auto &tab) { return std::get<1>(tab) > 0; });
    m_tabs->setCurrentWidget(std::get<2>(first == tabs.end() ? tabs.front() : *first));
  }
  m_tabs->show();
  setFocusProxy(m_tabs);
  m_swap->setEnabled(true);
}

} // namespace jitscope::ui
