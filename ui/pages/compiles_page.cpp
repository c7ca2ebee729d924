// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compiles_page.h"

#include "base/units.h"
#include "ui/charts/compile_charts.h"
#include "ui/widgets/call_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/item_view.h"
#include "ui/widgets/splitter.h"
#include "ui/widgets/text.h"

#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace jitscope::ui {

namespace {

using analysis::MissSummary;
using analysis::PassSum;
using analysis::WorkTotal;
using Lane = SessionStore::Lane;

constexpr std::size_t kBars = 12;
/// More compiles than anybody reads, fewer than memory minds.
constexpr std::size_t kMostCompiles = 200'000;

/// The phases of a compile and what lies between them, as charts split it.
std::array<std::uint64_t, 6> phasesOf(const MissSummary &row) {
  const analysis::CompileTimes &times = row.times;
  return {times.traceNs, times.lowerNs, times.optimizeNs, times.codegenNs, times.linkNs, times.betweenNs()};
}

struct CompilesAnswer {
  std::vector<MissSummary> compiles;
  std::vector<WorkTotal> work;
};

template <typename Row> Column<Row> textColumn(const QString &title, const QString &tip, std::function<QString(const Row &)> text) {
  return {title, tip, false, std::move(text), {}, {}, {}};
}

template <typename Row, typename Get> Column<Row> durationColumn(const QString &title, const QString &tip, Get get) {
  return {title,
          tip,
          true,
          [get](const Row &row) { return get(row) == 0 ? QString() : durationText(static_cast<double>(get(row))); },
          [get](const Row &row) { return numberValue(get(row)); },
          {},
          {},
          QStringLiteral("ns")};
}

template <typename Row, typename Get> Column<Row> countColumn(const QString &title, const QString &tip, Get get) {
  return {title,
          tip,
          true,
          [get](const Row &row) { return get(row) == 0 ? QString() : countText(get(row)); },
          [get](const Row &row) { return numberValue(get(row)); },
          {},
          {}};
}

template <typename Row, typename Get> Column<Row> bytesColumn(const QString &title, const QString &tip, Get get) {
  return {title,
          tip,
          true,
          [get](const Row &row) { return get(row) == 0 ? QString() : bytesText(get(row)); },
          [get](const Row &row) { return numberValue(get(row)); },
          {},
          {},
          QStringLiteral("bytes")};
}

std::vector<Column<MissSummary>> compileColumns() {
  using Row = MissSummary;
  const auto tr = [](const char *text) { return CompilesPage::tr(text); };
  return {
      textColumn<Row>(tr("Function"), {},
                      [](const Row &row) { return functionText(row.functionName, row.functionLine, row.eager); }),
      textColumn<Row>(tr("Template"), {},
                      [](const Row &row) { return row.templateId.isValid() ? signatureText(row.signature) : QString(); }),
      {tr("Reason"),
       tr("Why it was not in the cache"),
       false,
       [](const Row &row) { return toText(nameOf(row.reason)); },
       {},
       {},
       [](const Row &row) {
         return reasonText(row.reason, row.process) + QLatin1Char('\n') + differenceInWords(row.difference).join(QLatin1Char('\n'));
       }},
      textColumn<Row>(tr("Pipeline"), {}, [](const Row &row) { return lineText(row.pipeline); }),
      durationColumn<Row>(tr("Total"), tr("All phases, and what lies between them"),
                          [](const Row &row) { return row.times.totalNs; }),
      durationColumn<Row>(tr("Trace"), {}, [](const Row &row) { return row.times.traceNs; }),
      durationColumn<Row>(tr("Lower"), {}, [](const Row &row) { return row.times.lowerNs; }),
      durationColumn<Row>(tr("Optimize"), {}, [](const Row &row) { return row.times.optimizeNs; }),
      durationColumn<Row>(tr("Codegen"), {}, [](const Row &row) { return row.times.codegenNs; }),
      durationColumn<Row>(tr("Link"), {}, [](const Row &row) { return row.times.linkNs; }),
      bytesColumn<Row>(tr("Code"), tr("Bytes of machine code"), [](const Row &row) { return row.codeBytes; }),
      textColumn<Row>(tr("Section"), {}, [](const Row &row) { return lineText(row.section); }),
  };
}

std::vector<Column<PassSum>> passColumns() {
  using Row = PassSum;
  const auto tr = [](const char *text) { return CompilesPage::tr(text); };
  return {
      textColumn<Row>(tr("Pass"), {}, [](const Row &row) { return lineText(row.name); }),
      durationColumn<Row>(tr("Time"), tr("Without the passes that ran inside it"), [](const Row &row) { return row.totalNs; }),
      countColumn<Row>(tr("Runs"), {}, [](const Row &row) { return row.runs; }),
      countColumn<Row>(tr("Changed"), tr("Runs that may have changed the code"), [](const Row &row) { return row.changed; }),
  };
}

std::vector<Column<WorkTotal>> ledgerColumns() {
  using Row = WorkTotal;
  const auto tr = [](const char *text) { return CompilesPage::tr(text); };
  return {
      textColumn<Row>(tr("Pipeline"), {}, [](const Row &row) { return lineText(row.pipeline); }),
      textColumn<Row>(tr("Function"), {}, [](const Row &row) { return lineText(row.functionName); }),
      countColumn<Row>(tr("Compiles"), tr("Compiles in which it took part"), [](const Row &row) { return row.compiles; }),
      countColumn<Row>(tr("Optimized"), tr("Modules with its body that were optimized"),
                       [](const Row &row) { return row.optimized; }),
      countColumn<Row>(tr("Linked"), tr("Times its body was linked into another module"),
                       [](const Row &row) { return row.linked; }),
      countColumn<Row>(tr("Emitted"), tr("Times machine code was made for it"), [](const Row &row) { return row.emitted; }),
      countColumn<Row>(tr("Reused"), tr("Times kept work stood in for optimizing it"), [](const Row &row) { return row.reused; }),
      durationColumn<Row>(tr("Optimize"), {}, [](const Row &row) { return row.optimizeNs; }),
      durationColumn<Row>(tr("Emit"), {}, [](const Row &row) { return row.emitNs; }),
      durationColumn<Row>(tr("Of it repeated"), tr("Work on copies in other functions' modules"),
                          [](const Row &row) { return row.repeatNs; }),
      bytesColumn<Row>(tr("Code"), {}, [](const Row &row) { return row.codeBytes; }),
  };
}

} // namespace

CompilesPage::CompilesPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Compiles"), parent),
      m_compiles(new RowsModel<MissSummary>(
          compileColumns(), [](const MissSummary &row) { return QVariant(row.compileId.value); }, this)),
      m_passes(new RowsModel<PassSum>(
          passColumns(), [](const PassSum &row) { return QVariant(toText(row.name)); }, this)),
      m_ledger(new RowsModel<WorkTotal>(
          ledgerColumns(),
          [](const WorkTotal &row) { return QVariant(toText(row.pipeline) + QString::number(row.functionId.value)); }, this)),
      m_table(new ItemView(QStringLiteral("compileTable"), tr("Compiles"), this)),
      m_passTable(new ItemView(QStringLiteral("passTable"), tr("Passes by time"), this)),
      m_ledgerTable(new ItemView(QStringLiteral("ledgerTable"), tr("Redundancy ledger"), this)),
      m_phases(new ChartView(tr("Compile time by phase"), this)), m_passTitle(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("compiles"));
  m_table->setMostWidth(1, 260);
  m_table->setSource(m_compiles, 4, Qt::DescendingOrder);
  m_table->setPlaceholder(tr("Nothing was compiled here."));
  m_passTable->setMostWidth(0, 260);
  m_passTable->setSource(m_passes, 1, Qt::DescendingOrder);
  m_passTable->setPlaceholder(tr("No passes were recorded."));
  m_ledgerTable->setMostWidth(1, 260);
  m_ledgerTable->setSource(m_ledger, 0, Qt::AscendingOrder);
  m_ledgerTable->setPlaceholder(tr("Nothing was compiled here."));
  m_passTitle->setContentsMargins(8, 4, 8, 4);
  setFocusProxy(m_table);

  // The ledger has as many columns as the compiles and needs the same width.
  auto *tabs = new QTabWidget(this);
  tabs->setDocumentMode(true);
  tabs->addTab(m_table, tr("Compiles"));
  tabs->addTab(m_ledgerTable, tr("Redundancy ledger"));
  auto *passes = new QWidget(this);
  auto *passLayout = new QVBoxLayout(passes);
  passLayout->setContentsMargins(0, 0, 0, 0);
  passLayout->setSpacing(0);
  passLayout->addWidget(m_passTitle);
  passLayout->addWidget(m_passTable);
  auto *below = new Splitter(QStringLiteral("compilesBelow"), Qt::Horizontal, this);
  below->addWidget(m_phases);
  below->addWidget(passes);
  below->restore({620, 500});
  auto *splitter = new Splitter(QStringLiteral("compiles"), Qt::Vertical, this);
  splitter->addWidget(tabs);
  splitter->addWidget(below);
  splitter->restore({330, 380});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);

  connect(m_table, &ItemView::idChosen, this, [this](const QVariant &id) { choose(base::CompileId(id.toUInt())); });
  m_phases->setSpots([this](QChart &chart, const QPointF &place) { return phaseAt(chart, place); });
  connect(m_phases, &ChartView::spotChosen, this, [this, tabs](const QVariant &id) {
    tabs->setCurrentWidget(m_table);
    choose(base::CompileId(id.toUInt()));
    // Where it is the compile that is looked at already, its row may be out of sight.
    m_table->showId(id);
  });
  connect(&focus(), &Focus::compileChanged, this, [this](base::CompileId id) {
    m_table->showId(id.value);
    if (isVisible() && store().isOpen()) {
      readPasses();
    } else {
      setStale();
    }
  });
  clear();
}

QString CompilesPage::hint() const { return tr("Every compile by phase, passes by time, repeated work"); }

void CompilesPage::clear() {
  m_compiles->setRows({});
  m_passes->setRows({});
  m_ledger->setRows({});
  m_passTitle->clear();
  drawPhases();
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

std::optional<ChartSpot> CompilesPage::phaseAt(QChart &chart, const QPointF &place) const {
  const std::optional<charts::BarSpot> spot = charts::barAt(chart, place);
  const auto row =
      !spot ? m_compiles->rows().end() : std::ranges::find(m_compiles->rows(), m_drawn.at(spot->bar), &MissSummary::compileId);
  if (row == m_compiles->rows().end()) {
    return std::nullopt;
  }
  const std::array<std::uint64_t, 6> phases = phasesOf(*row);
  QStringList lines;
  if (spot->part) {
    lines << tr("%1 of %2").arg(phaseText(*spot->part, phases[*spot->part]), durationText(static_cast<double>(row->times.totalNs)));
  }
  lines << functionText(row->functionName, row->functionLine, row->eager);
  if (row->templateId.isValid()) {
    lines << signatureText(row->signature);
  }
  lines << reasonText(row->reason, row->process) << compileLines(row->pipeline, row->times.totalNs, phases);
  if (!row->section.empty()) {
    lines << tr("section %1").arg(lineText(row->section, 100));
  }
  return ChartSpot{lines.join(QLatin1Char('\n')), row->compileId.value};
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
  m_phases->setChart(charts::phaseChart(bars, longest.size(), palette()));
}

void CompilesPage::refresh() {
  store().ask(
      Lane::Bulk, QStringLiteral("compiles"), this,
      [selection = filter().selection()](session::SessionReader &reader) -> base::Result<CompilesAnswer> {
        analysis::SummaryOptions options;
        options.selection = selection;
        options.misses = kMostCompiles;
        options.withStudies = true;
        base::Result<analysis::Summary> summary = summarize(reader, options);
        if (!summary) {
          return std::unexpected(std::move(summary.error()));
        }
        base::Result<std::vector<WorkTotal>> work = analysis::readWorkTotals(reader.database(), selection);
        if (!work) {
          return std::unexpected(std::move(work.error()));
        }
        return CompilesAnswer{std::move(summary->misses), *std::move(work)};
      },
      [this](CompilesAnswer answer) {
        m_compiles->setRows(std::move(answer.compiles));
        m_ledger->setRows(std::move(answer.work));
        m_table->showId(focus().compileId().value);
        drawPhases();
        readPasses();
      });
}

void CompilesPage::readPasses() {
  const base::CompileId compile = focus().compileId();
  store().ask(
      Lane::Quick, QStringLiteral("compiles-passes"), this,
      [selection = filter().selection(), compile](session::SessionReader &reader) {
        return analysis::readPassSums(reader.database(), selection, compile);
      },
      [this, compile](std::vector<PassSum> passes) {
        const auto row = std::ranges::find(m_compiles->rows(), compile, &MissSummary::compileId);
        const QString where = row == m_compiles->rows().end()
                                  ? tr("all compiles")
                                  : tr("%1 under %2").arg(lineText(row->functionName, 60), lineText(row->pipeline));
        m_passTitle->setText(passes.empty() ? tr("No passes were recorded for %1.").arg(where) : tr("Passes of %1").arg(where));
        m_passes->setRows(std::move(passes));
      });
}

} // namespace jitscope::ui
