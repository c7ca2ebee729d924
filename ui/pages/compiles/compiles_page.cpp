// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compiles/compiles_page.h"

#include "analysis/compiles/loop_summary.h"
#include "base/try.h"
#include "base/units.h"
#include "event/loops.h"
#include "ui/charts/chart_frame.h"
#include "ui/charts/compile_charts.h"
#include "ui/pages/compiles/compiles_tables.h"
#include "ui/widgets/call_text.h"
#include "ui/widgets/layout/elided_label.h"
#include "ui/widgets/layout/splitter.h"
#include "ui/widgets/tables/item_view.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace jitscope::ui {

namespace {

using analysis::LoopFinding;
using analysis::MissSummary;
using analysis::PassSum;
using analysis::WorkTotal;
using Lane = SessionStore::Lane;

constexpr std::size_t kBars = 12;
/// More compiles than anybody reads, fewer than memory minds.
constexpr std::size_t kMaxCompiles = 200'000;

/// The phases of a compile and what lies between them, as charts split it.
std::array<std::uint64_t, 6> phasesOf(const MissSummary &row) {
  const analysis::CompileTimes &times = row.times;
  return {times.traceNs, times.lowerNs, times.optimizeNs, times.codegenNs, times.linkNs, times.betweenNs()};
}

/// What stands where there is no loop to show.
QString loopPlaceholder(const analysis::LoopSummary &loops, bool isWhole) {
  if (!loops.isRecorded) {
    return isWhole ? CompilesPage::tr("No loops were recorded.")
                   : CompilesPage::tr("The filter leaves no compile whose loops were recorded.");
  }
  return CompilesPage::tr("The code has no innermost loops.");
}

struct CompilesAnswer {
  std::vector<MissSummary> compiles;
  std::vector<analysis::RepeatedCompile> repeats;
  std::vector<WorkTotal> work;
  analysis::LoopSummary loops;
};

} // namespace

CompilesPage::CompilesPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Compiles"), parent),
      m_compiles(new RowsModel<MissSummary>(
          compileColumns(), [](const MissSummary &row) { return QVariant(row.compileId.value); }, this)),
      m_passes(new RowsModel<PassSum>(
          passColumns(), [](const PassSum &row) { return QVariant(toText(row.name)); }, this)),
      m_redundantWork(new RowsModel<WorkTotal>(
          redundantWorkColumns(),
          [](const WorkTotal &row) { return QVariant(toText(row.pipeline) + QString::number(row.functionId.value)); }, this)),
      m_loops(new RowsModel<LoopFinding>(
          loopColumns(),
          [](const LoopFinding &row) {
            return QVariant(QStringLiteral("%1 %2 %3")
                                .arg(toText(functionText(row)), toText(event::locationText(row.loop)), toText(pipelinesText(row))) +
                            QString::number(row.loop.order));
          },
          this)),
      m_tabs(new QTabWidget(this)), m_count(new ElidedLabel(this)),
      m_table(new ItemView(QStringLiteral("compileTable"), tr("Compiles"), this)),
      m_passTable(new ItemView(QStringLiteral("passTable"), tr("Passes by time"), this)),
      m_redundantWorkTable(new ItemView(QStringLiteral("redundantWorkTable"), tr("Redundant work"), this)),
      m_loopTable(new ItemView(QStringLiteral("loopTable"), tr("Loops"), this)),
      m_phases(new ChartView(tr("Compile time by phase"), this)), m_passTitle(new ElidedLabel(this)),
      m_allPasses(new QToolButton(this)) {
  setObjectName(QStringLiteral("compiles"));
  m_table->setMaxWidth(1, 260);
  m_table->setSource(m_compiles, 4, Qt::DescendingOrder);
  m_passTable->setMaxWidth(0, 260);
  m_passTable->setSource(m_passes, 1, Qt::DescendingOrder);
  m_passTable->setPlaceholder(tr("No passes were recorded."));
  m_redundantWorkTable->setMaxWidth(1, 260);
  m_redundantWorkTable->setSource(m_redundantWork, 0, Qt::AscendingOrder);
  m_passTitle->setContentsMargins(8, 4, 8, 4);
  m_passTitle->setObjectName(QStringLiteral("passTitle"));
  m_allPasses->setText(tr("All compiles"));
  m_allPasses->setObjectName(QStringLiteral("allPasses"));
  m_allPasses->setToolTip(tr("Back to the passes of all compiles (Esc)"));
  m_allPasses->hide();
  setFocusProxy(m_table);

  // Redundant work has as many columns as the compiles and needs the same width.
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_table, tr("Compiles"));
  m_tabs->addTab(m_redundantWorkTable, tr("Redundant work"));
  addLoops();
  m_count->setObjectName(QStringLiteral("compileCount"));
  m_count->setContentsMargins(8, 0, 8, 6);
  m_tabs->setCornerWidget(m_count);
  auto *passes = new QWidget(this);
  auto *passLayout = new QVBoxLayout(passes);
  passLayout->setContentsMargins(0, 0, 0, 0);
  passLayout->setSpacing(0);
  auto *passBar = new QHBoxLayout;
  passBar->addWidget(m_passTitle, 1);
  passBar->addWidget(m_allPasses);
  passLayout->addLayout(passBar);
  passLayout->addWidget(m_passTable);
  auto *below = new Splitter(QStringLiteral("compilesBelow"), Qt::Horizontal, this);
  below->addWidget(m_phases);
  below->addWidget(passes);
  below->restore({620, 500});
  auto *splitter = new Splitter(QStringLiteral("compiles"), Qt::Vertical, this);
  splitter->addWidget(m_tabs);
  splitter->addWidget(below);
  splitter->restore({330, 380});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);

  connect(m_table, &ItemView::idChosen, this, [this](const QVariant &id) { choose(base::CompileId(id.toUInt())); });
  m_phases->setLocations([this](QChart &chart, const QPointF &place) { return phaseAt(chart, place); });
  connect(m_phases, &ChartView::locationChosen, this, [this](const QVariant &id) {
    m_tabs->setCurrentWidget(m_table);
    choose(base::CompileId(id.toUInt()));
    // Where it is the compile that is looked at already, its row may be out of sight.
    m_table->showId(id);
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this, were = false]() mutable {
    if (std::exchange(were, areAllSelected()) != areAllSelected()) {
      readPasses();
    }
  });
  connect(m_allPasses, &QToolButton::clicked, this, [this] { focus().setCompile({}, focus().templateId()); });
  for (QWidget *table : {m_table, m_passTable}) {
    table->installEventFilter(this);
  }
  addWays();
  connect(&focus(), &Focus::compileChanged, this, [this] {
    m_table->showId(listed().value);
    drawPhases();
    if (isVisible() && store().isOpen()) {
      readPasses();
    } else {
      setStale();
    }
  });
  clear();
}

void CompilesPage::addLoops() {
  m_loopTable->setMaxWidth(0, 200);
  m_loopTable->setMaxWidth(1, 200);
  // In the order of the analysis: loops that pipelines disagree about, then scalar ones.
  m_loopTable->setSource(m_loops, -1, Qt::AscendingOrder);
  m_tabs->addTab(m_loopTable, tr("Loops"));
  auto *action = new QAction(tr("Go to the Script's &Line"), m_loopTable);
  action->setEnabled(false);
  m_loopTable->addAction(action);
  // A line of a script only: modules from elsewhere name files of their own.
  const auto line = [this] {
    const QModelIndex index = m_loopTable->proxy()->mapToSource(m_loopTable->currentIndex());
    const event::LoopResult *loop = index.isValid() ? &m_loops->row(index).loop : nullptr;
    const QString script = QFileInfo(fromPath(store().row().info.scriptPath)).fileName();
    return loop != nullptr && QFileInfo(toText(loop->file)).fileName() == script ? loop->line : 0;
  };
  const auto go = [this, line] {
    if (const int number = line(); number > 0) {
      Q_EMIT lineWanted(number);
    }
  };
  connect(action, &QAction::triggered, this, go);
  connect(m_loopTable, &QAbstractItemView::activated, this, go);
  connect(m_loopTable->selectionModel(), &QItemSelectionModel::currentChanged, action,
          [action, line] { action->setEnabled(line() > 0); });
  m_loopTable->installEventFilter(this);
}

void CompilesPage::addWays() {
  const auto add = [this](const QString &text, auto canGo, auto go) {
    auto *action = new QAction(text, m_table);
    m_table->addAction(action);
    connect(action, &QAction::triggered, this, [this, canGo, go] {
      const MissSummary *row = current();
      if (row != nullptr && canGo(*row)) {
        go(*row);
      }
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, action, [this, action, canGo] {
      const MissSummary *row = current();
      action->setEnabled(row != nullptr && canGo(*row));
    });
  };
  const auto always = [](const MissSummary &) { return true; };
  add(
      tr("Show on the &Timeline"), [](const MissSummary &row) { return row.callId.isValid(); },
      [this](const MissSummary &) { Q_EMIT pageWanted(QStringLiteral("timeline")); });
  add(tr("Show &IR"), always, [this](const MissSummary &) { Q_EMIT pageWanted(QStringLiteral("diff")); });
  add(
      tr("Go to the Script's &Line"), [](const MissSummary &row) { return row.functionLine > 0; },
      [this](const MissSummary &row) { Q_EMIT lineWanted(row.functionLine); });
  add(
      tr("&Only This Section"), [](const MissSummary &row) { return row.sectionId.isValid(); },
      [this](const MissSummary &row) {
        // The row goes with its model.
        const QString name = lineText(row.section);
        filter().setSection(row.sectionId, name);
      });
  // A call stands on the timeline; what was compiled without one is told by its code.
  connect(m_table, &QAbstractItemView::activated, this, [this] {
    if (const MissSummary *row = current()) {
      Q_EMIT pageWanted(row->callId.isValid() ? QStringLiteral("timeline") : QStringLiteral("diff"));
    }
  });
}

const MissSummary *CompilesPage::current() const {
  const QModelIndex index = m_table->proxy()->mapToSource(m_table->currentIndex());
  return index.isValid() ? &m_compiles->row(index) : nullptr;
}

bool CompilesPage::areAllSelected() const {
  const std::size_t all = m_compiles->rows().size();
  return all > 1 && static_cast<std::size_t>(m_table->selectionModel()->selectedRows().size()) == all;
}

bool CompilesPage::eventFilter(QObject *watched, QEvent *event) {
  const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (!isKey || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape || m_allPasses->isHidden()) {
    return Page::eventFilter(watched, event);
  }
  // Taken before the window's own Escape, which removes the filter.
  event->accept();
  if (event->type() == QEvent::KeyPress) {
    m_allPasses->click();
  }
  return true;
}

QString CompilesPage::hint() const { return tr("Every compile by phase, passes by time, redundant work, loops"); }

void CompilesPage::showChosen() { m_tabs->setCurrentWidget(m_table); }

void CompilesPage::clear() {
  m_repeats.clear();
  m_count->clear();
  m_compiles->setRows({});
  m_passes->setRows({});
  m_redundantWork->setRows({});
  m_loops->setRows({});
  m_passTitle->clear();
  m_allPasses->hide();
  drawPhases();
}

base::CompileId CompilesPage::listed() const {
  const base::CompileId id = focus().compileId();
  const auto repeat = std::ranges::lower_bound(m_repeats, id, {}, &analysis::RepeatedCompile::id);
  return repeat != m_repeats.end() && repeat->id == id ? repeat->firstId : id;
}

void CompilesPage::choose(base::CompileId id) {
  const auto row = std::ranges::find(m_compiles->rows(), id, &MissSummary::compileId);
  if (row != m_compiles->rows().end()) {
    focus().setCompile(row->compileId, row->templateId);
    if (row->callId.isValid()) {
      focus().setCall(row->callId, row->templateId);
    }
  }
}

std::optional<ChartLocation> CompilesPage::phaseAt(QChart &chart, const QPointF &place) const {
  const std::optional<charts::BarLocation> location = charts::barAt(chart, place);
  const auto row = !location ? m_compiles->rows().end()
                             : std::ranges::find(m_compiles->rows(), m_drawn.at(location->bar), &MissSummary::compileId);
  if (row == m_compiles->rows().end()) {
    return std::nullopt;
  }
  const std::array<std::uint64_t, 6> phases = phasesOf(*row);
  QStringList lines;
  if (location->part) {
    lines << tr("%1 of %2")
                 .arg(phaseText(*location->part, phases[*location->part]), durationText(static_cast<double>(row->times.totalNs)));
  }
  lines << functionText(row->functionName, row->functionLine, row->eager);
  if (row->templateId.isValid()) {
    lines << signatureText(row->signature);
  }
  lines << reasonText(row->reason, row->process) << compileLines(row->pipeline, row->times.totalNs, phases);
  if (!row->section.empty()) {
    lines << tr("section %1").arg(lineText(row->section, 100));
  }
  return ChartLocation{lines.join(QLatin1Char('\n')), row->compileId.value};
}

void CompilesPage::drawPhases() {
  std::vector<const MissSummary *> longest;
  for (const MissSummary &row : m_compiles->rows()) {
    longest.push_back(&row);
  }
  const std::size_t shown = std::min(longest.size(), kBars);
  std::ranges::partial_sort(longest, longest.begin() + static_cast<std::ptrdiff_t>(shown), std::ranges::greater{},
                            [](const MissSummary *row) { return row->times.totalNs; });
  std::vector<charts::PhaseBar> bars;
  m_drawn.clear();
  for (std::size_t i = 0; i < shown; ++i) {
    const MissSummary &row = *longest[i];
    // Those of a study differ by their pipeline.
    const bool isStudy = row.reason == event::MissReason::Study;
    bars.push_back({QStringLiteral("%1  %2").arg(lineText(row.functionName, 40),
                                                 isStudy ? lineText(row.pipeline) : signatureText(row.signature)),
                    phasesOf(row)});
    m_drawn.push_back(row.compileId);
  }
  m_phases->setChart(bars.empty() && !filter().selection().isEmpty()
                         ? charts::emptyChart(palette(), tr("Compile time by phase"), tr("No compiles match the filter."))
                         : charts::phaseChart(bars, longest.size(), palette()));
  if (const auto chosen = std::ranges::find(m_drawn, listed()); chosen != m_drawn.end()) {
    charts::markBar(*m_phases->chart(), static_cast<std::size_t>(chosen - m_drawn.begin()), palette());
  }
}

void CompilesPage::refresh() {
  store().ask(
      Lane::Bulk, QStringLiteral("compiles"), this,
      [selection = filter().selection()](session::SessionReader &reader) -> base::Result<CompilesAnswer> {
        JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
        JITSCOPE_TRY(std::vector<MissSummary> compiles,
                     analysis::readMisses(reader, selection, {.limit = kMaxCompiles, .withStudies = true}));
        JITSCOPE_TRY(std::vector<analysis::RepeatedCompile> repeats, readRepeatedCompiles(reader.database(), selection));
        JITSCOPE_TRY(std::vector<WorkTotal> work, analysis::readWorkTotals(reader.database(), selection));
        JITSCOPE_TRY(analysis::LoopSummary loops, analysis::readLoopSummary(reader, selection, analysis::LoopScope::All));
        return CompilesAnswer{std::move(compiles), std::move(repeats), std::move(work), std::move(loops)};
      },
      [this](CompilesAnswer answer) {
        const QString none =
            filter().selection().isEmpty() ? tr("Nothing was compiled here.") : tr("No compiles match the filter.");
        m_table->setPlaceholder(none);
        m_redundantWorkTable->setPlaceholder(none);
        m_compiles->setRows(std::move(answer.compiles));
        m_redundantWork->setRows(std::move(answer.work));
        m_loopTable->setPlaceholder(loopPlaceholder(answer.loops, filter().selection().isEmpty()));
        m_tabs->setTabText(
            m_tabs->indexOf(m_loopTable),
            answer.loops.innermost == 0
                ? tr("Loops")
                : tr("Loops: %1 of %2 vectorized").arg(countText(answer.loops.vectorized), countText(answer.loops.innermost)));
        m_loops->setRows(std::move(answer.loops.findings));
        m_repeats = std::move(answer.repeats);
        const std::size_t rows = m_compiles->rows().size();
        m_count->setText(m_repeats.empty() ? QString()
                                           : tr("%1 of %2 compiles: repeats of studies are only timed")
                                                 .arg(countText(rows), countText(rows + m_repeats.size())));
        m_table->showId(listed().value);
        drawPhases();
        readPasses();
      });
}

void CompilesPage::readPasses() {
  const base::CompileId chosen = listed();
  const auto row = std::ranges::find(m_compiles->rows(), chosen, &MissSummary::compileId);
  // Of a compile that the filter hides no row is left to say whose passes these are.
  const bool isOfOne = row != m_compiles->rows().end() && !areAllSelected();
  const bool isFiltered = !filter().selection().isEmpty();
  QString where = tr("all compiles");
  QString none = !isFiltered                  ? tr("No passes were recorded.")
                 : m_compiles->rows().empty() ? tr("No compiles match the filter.")
                                              : tr("No passes were recorded for the compiles that match the filter.");
  if (isOfOne) {
    const QString function = lineText(row->functionName, 60);
    where = tr("%1 under %2")
                .arg(row->templateId.isValid() ? QStringLiteral("%1 (%2)").arg(function, signatureText(row->signature)) : function,
                     lineText(row->pipeline));
    if (chosen != focus().compileId()) {
      where = tr("%1, first run: its repeats are only timed").arg(where);
    }
    none = tr("No passes were recorded for %1.").arg(where);
  } else if (chosen.isValid() && row == m_compiles->rows().end() && isFiltered) {
    where = tr("all compiles that the filter leaves, without the chosen one");
  }
  store().ask(
      Lane::Quick, QStringLiteral("compiles-passes"), this,
      [selection = filter().selection(), compile = isOfOne ? chosen : base::CompileId()](session::SessionReader &reader) {
        return analysis::readPassSums(reader.database(), selection, compile);
      },
      [this, where, none, isOfOne](std::vector<PassSum> passes) {
        m_passTitle->setText(passes.empty() ? none : tr("Passes of %1").arg(where));
        m_allPasses->setVisible(isOfOne);
        m_passes->setRows(std::move(passes));
      });
}

} // namespace jitscope::ui
