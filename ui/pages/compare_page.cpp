// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare_page.h"

#include "report/units.h"
#include "ui/widgets/item_view.h"
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

#include <set>

namespace jitscope::ui {

namespace {

using analysis::CountComparison;
using analysis::LegComparison;
using analysis::Verdict;
using RemarkChange = ComparePage::RemarkChange;

struct CompareAnswer {
  analysis::Comparison comparison;
  std::vector<RemarkChange> remarks;
};

QString changeText(double change) {
  return QStringLiteral("%1%2 %")
      .arg(change >= 0 ? QStringLiteral("+") : QStringLiteral("−"))
      .arg(std::abs(change) * 100, 0, 'f', 1);
}

QString verdictText(Verdict verdict) {
  switch (verdict) {
  case Verdict::Worse:
    return QStringLiteral("▲ ") + toText(timeWord(verdict));
  case Verdict::Better:
    return QStringLiteral("▼ ") + toText(timeWord(verdict));
  default:
    return toText(timeWord(verdict));
  }
}

std::vector<Column<LegComparison>> legColumns() {
  using Row = LegComparison;
  const auto tr = [](const char *text) { return ComparePage::tr(text); };
  return {
      {tr("Case"), {}, false, [](const Row &row) { return caseText(row.name, row.input); }, {}, {}, {}},
      {tr("Leg"), {}, false, [](const Row &row) { return toText(nameOf(row.leg)); }, {}, {}, {}},
      {tr("Verdict"),
       tr("Slower or faster where the shift is significant, over the threshold, and over the base's own noise"),
       false,
       [](const Row &row) { return verdictText(row.verdict); },
       {},
       {},
       {}},
      {tr("Base"),
       tr("Median of the samples that did not compile"),
       true,
       [](const Row &row) { return durationText(row.baseMedianNs); },
       [](const Row &row) { return QVariant(row.baseMedianNs); },
       {},
       {},
       QStringLiteral("ns")},
      {tr("Contender"),
       tr("Median of the samples that did not compile"),
       true,
       [](const Row &row) { return durationText(row.contenderMedianNs); },
       [](const Row &row) { return QVariant(row.contenderMedianNs); },
       {},
       {},
       QStringLiteral("ns")},
      {tr("Change"),
       tr("Of the median"),
       true,
       [](const Row &row) { return row.shift ? changeText(row.change()) : QString(); },
       [](const Row &row) { return row.shift ? QVariant(row.change()) : QVariant(); },
       {},
       {}},
      {tr("p"),
       tr("Mann-Whitney's rank test, adjusted for all legs by Holm"),
       true,
       [](const Row &row) { return row.shift ? QString::number(row.adjustedPValue, 'g', 2) : QString(); },
       [](const Row &row) { return QVariant(row.adjustedPValue); },
       {},
       {}},
      {tr("Noise"),
       tr("How far the base's own median strays"),
       true,
       [](const Row &row) { return changeText(row.noise).mid(1); },
       [](const Row &row) { return QVariant(row.noise); },
       {},
       {}},
      {tr("Samples"),
       tr("Of the base and of the contender"),
       true,
       [](const Row &row) { return QStringLiteral("%1 / %2").arg(countText(row.baseSamples), countText(row.contenderSamples)); },
       [](const Row &row) { return numberValue(row.contenderSamples); },
       {},
       {}},
  };
}

std::vector<Column<CountComparison>> countColumns() {
  using Row = CountComparison;
  const auto tr = [](const char *text) { return ComparePage::tr(text); };
  const auto count = [](const std::optional<std::uint64_t> &value) { return value ? countText(*value) : QString(); };
  const auto bare = [](const std::optional<std::uint64_t> &value) { return value ? numberValue(*value) : QVariant(); };
  return {
      {tr("What"), {}, false, [](const Row &row) { return toText(nameOf(row.key.count)); }, {}, {}, {}},
      {tr("Function"),
       {},
       false,
       [](const Row &row) {
         return row.key.function.empty() ? ComparePage::tr("(whole session)") : functionText(row.key.function, 0, row.key.eager);
       },
       {},
       {},
       {}},
      {tr("Verdict"), {}, false, [](const Row &row) { return toText(row.word()); }, {}, {}, {}},
      {tr("Base"),
       {},
       true,
       [count](const Row &row) { return count(row.base); },
       [bare](const Row &row) { return bare(row.base); },
       {},
       {}},
      {tr("Contender"),
       {},
       true,
       [count](const Row &row) { return count(row.contender); },
       [bare](const Row &row) { return bare(row.contender); },
       {},
       {}},
  };
}

std::vector<Column<RemarkChange>> remarkChangeColumns() {
  using Row = RemarkChange;
  const auto tr = [](const char *text) { return ComparePage::tr(text); };
  return {
      {tr("Change"),
       {},
       false,
       [](const Row &row) { return row.isNew ? ComparePage::tr("+ new") : ComparePage::tr("− gone"); },
       {},
       {},
       {}},
      {tr("Function"), {}, false, [](const Row &row) { return lineText(row.remark.functionName); }, {}, {}, {}},
      {tr("Line"),
       {},
       true,
       [](const Row &row) { return row.remark.line == 0 ? QString() : QString::number(row.remark.line); },
       [](const Row &row) { return QVariant(row.remark.line); },
       {},
       {}},
      {tr("Kind"), {}, false, [](const Row &row) { return toText(nameOf(row.remark.kind)); }, {}, {}, {}},
      {tr("Pass"), {}, false, [](const Row &row) { return lineText(row.remark.pass); }, {}, {}, {}},
      {tr("Message"), {}, false, [](const Row &row) { return lineText(row.remark.message, 1000); }, {}, {}, {}},
  };
}

base::Result<std::vector<RemarkChange>> readRemarkChanges(session::SessionReader &base, session::SessionReader &contender) {
  const auto before = analysis::readRemarkGroups(base.database(), {});
  const auto after = analysis::readRemarkGroups(contender.database(), {});
  if (!before || !after) {
    return std::unexpected(!before ? before.error() : after.error());
  }
  std::set<decltype(before->front().key())> inBase;
  std::set<decltype(before->front().key())> inContender;
  for (const analysis::RemarkGroup &remark : *before) {
    inBase.insert(remark.key());
  }
  for (const analysis::RemarkGroup &remark : *after) {
    inContender.insert(remark.key());
  }
  std::vector<RemarkChange> changes;
  for (const analysis::RemarkGroup &remark : *after) {
    if (!inBase.contains(remark.key())) {
      changes.push_back({true, remark});
    }
  }
  for (const analysis::RemarkGroup &remark : *before) {
    if (!inContender.contains(remark.key())) {
      changes.push_back({false, remark});
    }
  }
  return changes;
}

} // namespace

ComparePage::ComparePage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Compare"), parent), m_names(new QLabel(this)), m_verdict(new QLabel(this)),
      m_swap(new QPushButton(tr("S&wap"), this)), m_tabs(new QTabWidget(this)),
      m_legs(new RowsModel<LegComparison>(
          legColumns(), [](const LegComparison &row) { return QVariant(caseText(row.name, row.input) + toText(nameOf(row.leg))); },
          this)),
      m_counts(new RowsModel<CountComparison>(
          countColumns(),
          [](const CountComparison &row) { return QVariant(toText(nameOf(row.key.count)) + toText(row.key.function)); }, this)),
      m_remarks(new RowsModel<RemarkChange>(
          remarkChangeColumns(),
          [](const RemarkChange &row) { return QVariant(toText(row.remark.functionName) + toText(row.remark.message)); }, this)),
      m_legTable(new ItemView(QStringLiteral("compareLegs"), tr("Times compared"), this)),
      m_countTable(new ItemView(QStringLiteral("compareCounts"), tr("Counts compared"), this)),
      m_remarkTable(new ItemView(QStringLiteral("compareRemarks"), tr("New and gone remarks"), this)) {
  setObjectName(QStringLiteral("compare"));
  m_legTable->setSource(m_legs, 0, Qt::AscendingOrder);
  m_countTable->setSource(m_counts, 1, Qt::AscendingOrder);
  m_remarkTable->setSource(m_remarks, 0, Qt::AscendingOrder);
  m_legTable->setPlaceholder(tr("No benchmark case is in both sessions."));
  m_countTable->setPlaceholder(tr("There is nothing to count."));
  m_remarkTable->setPlaceholder(tr("Neither has remarks that the other has not."));
  m_names->setWordWrap(true);
  m_verdict->setWordWrap(true);
  m_verdict->setObjectName(QStringLiteral("verdict"));
  m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto *choose = new QPushButton(tr("Compare &with…"), this);
  choose->setObjectName(QStringLiteral("compareWith"));
  for (QPushButton *button : {choose, m_swap}) {
    // Outside of dialogs Enter does nothing otherwise.
    button->setAutoDefault(true);
  }
  auto *bar = new QHBoxLayout;
  bar->addWidget(m_names, 1);
  bar->addWidget(choose);
  bar->addWidget(m_swap);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_legTable, tr("Times"));
  m_tabs->addTab(m_countTable, tr("Counts"));
  m_tabs->addTab(m_remarkTable, tr("Remarks"));
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 0);
  layout->addLayout(bar);
  layout->addWidget(m_verdict);
  layout->addWidget(m_tabs, 1);
  layout->addStretch(0);
  setFocusProxy(m_legTable);
  connect(choose, &QPushButton::clicked, this, &ComparePage::chooseOther);
  connect(m_swap, &QPushButton::clicked, this, [this] {
    m_swapTo = store().path();
    Q_EMIT openWanted(m_other);
  });
  connect(&this->store(), &SessionStore::opened, this, [this] {
    if (!m_swapTo.isEmpty()) {
      compareWith(std::exchange(m_swapTo, QString()));
    }
  });
  connect(&this->store(), &SessionStore::openFailed, this, [this] { m_swapTo.clear(); });
  clear();
}

QString ComparePage::hint() const { return tr("This session beside another one"); }

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
  refresh();
}

void ComparePage::clear() {
  m_other.clear();
  m_legs->setRows({});
  m_counts->setRows({});
  m_remarks->setRows({});
  m_swap->setEnabled(false);
  m_tabs->hide();
  m_names->setText(tr("Nothing is compared yet."));
  m_verdict->setText(
      tr("The open session is the base; another one is held against it: the medians of benchmark cases by a rank test, "
         "counts of compiles, misses and templates exactly, and the remarks of the optimizer."));
}

void ComparePage::refresh() {
  if (m_other.isEmpty()) {
    return;
  }
  m_names->setText(tr("<b>Base:</b> %1<br><b>Contender:</b> %2").arg(store().path().toHtmlEscaped(), m_other.toHtmlEscaped()));
  m_verdict->setText(tr("Comparing…"));
  store().ask(
      SessionStore::Lane::Bulk, QStringLiteral("compare"), this,
      [other = toPath(m_other)](session::SessionReader &base) -> base::Result<CompareAnswer> {
        base::Result<std::unique_ptr<session::SessionReader>> contender = session::SessionReader::open(other);
        if (!contender) {
          return std::unexpected(std::move(contender.error()));
        }
        base::Result<analysis::Comparison> comparison = analysis::compareSessions(base, **contender);
        if (!comparison) {
          return std::unexpected(std::move(comparison.error()));
        }
        base::Result<std::vector<RemarkChange>> remarks = readRemarkChanges(base, **contender);
        if (!remarks) {
          return std::unexpected(std::move(remarks.error()));
        }
        return CompareAnswer{*std::move(comparison), *std::move(remarks)};
      },
      [this](CompareAnswer answer) {
        show(answer.comparison);
        m_remarks->setRows(std::move(answer.remarks));
        m_tabs->setTabText(2, tr("Remarks (%1)").arg(countText(m_remarks->rows().size())));
        m_remarkTable->header()->resizeSections(QHeaderView::ResizeToContents);
      },
      [this](const base::Error &error) {
        if (error.code != base::ErrorCode::StorageCancelled) {
          m_verdict->setText(toText(base::describe(error)));
        }
      });
}

void ComparePage::show(const analysis::Comparison &comparison) {
  QStringList lines;
  const std::size_t worse = comparison.legsWith(Verdict::Worse);
  const std::size_t better = comparison.legsWith(Verdict::Better);
  lines << tr("<b>%1</b> of %2 legs slower, %3 faster; %4 counts worse, %5 better.")
               .arg(countText(worse), countText(comparison.legs.size()), countText(better),
                    countText(comparison.countsWith(Verdict::Worse)), countText(comparison.countsWith(Verdict::Better)));
  for (const std::vector<std::string> *texts : {&comparison.insufficient, &comparison.warnings}) {
    for (const std::string &text : *texts) {
      lines << QStringLiteral("⚠ ") + lineText(text, 400).toHtmlEscaped();
    }
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
  m_verdict->setText(lines.join(QStringLiteral("<br>")));
  m_legs->setRows(comparison.legs);
  m_counts->setRows(comparison.counts);
  m_tabs->setTabText(0, tr("Times (%1)").arg(countText(comparison.legs.size())));
  m_tabs->setTabText(1, tr("Counts (%1)").arg(countText(comparison.counts.size())));
  m_tabs->show();
  m_swap->setEnabled(true);
  m_legTable->header()->resizeSections(QHeaderView::ResizeToContents);
  m_countTable->header()->resizeSections(QHeaderView::ResizeToContents);
}

} // namespace jitscope::ui
