// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/latency_page.h"

#include "analysis/calls/bench_progress.h"
#include "analysis/calls/call_groups.h"
#include "base/try.h"
#include "base/units.h"
#include "report/document/bench_text.h"
#include "ui/charts/chart_frame.h"
#include "ui/widgets/layout/splitter.h"
#include "ui/widgets/tables/item_view.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace jitscope::ui {

namespace {

using LatencyRow = LatencyPage::Row;
using Lane = SessionStore::Lane;

/// The id of a row: case and leg in one number.
qlonglong idOf(const LatencyRow &row) {
  return static_cast<qlonglong>(row.bench.id.value) * 4 + static_cast<qlonglong>(row.leg.leg);
}
base::CaseId caseOf(const QVariant &id) { return base::CaseId(static_cast<std::uint32_t>(id.toLongLong() / 4)); }

struct LatencyAnswer {
  std::vector<LatencyRow> rows;
  analysis::BenchProgress progress;
};

base::Result<LatencyAnswer> readRows(session::SessionReader &reader, analysis::CallGroups &groups) {
  JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
  JITSCOPE_TRY(const std::vector<event::BenchCaseEvent> cases, reader.benchCases());
  JITSCOPE_TRY(const analysis::BenchProgress progress, analysis::readBenchProgress(reader));
  LatencyAnswer answer{{}, progress};
  // Without a benchmark there are no samples, however many calls there are.
  if (cases.empty()) {
    return answer;
  }
  JITSCOPE_TRY_VOID(groups.update(reader.database()));
  JITSCOPE_TRY(const std::vector<analysis::LegStatistics> legs, analysis::legStatistics(reader, groups.all()));
  for (const analysis::LegStatistics &leg : legs) {
    const auto bench = std::ranges::find(cases, leg.caseId, &event::BenchCaseEvent::id);
    if (bench != cases.end()) {
      answer.rows.push_back({*bench, leg});
    }
  }
  return answer;
}

QString intervalText(const std::optional<analysis::Interval> &interval) {
  return LatencyPage::tr("95 % interval: %1").arg(toText(report::intervalText(interval)));
}

} // namespace

LatencyPage::LatencyPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Latency"), parent), m_model(new RowsModel<LatencyRow>(
                                                  columns(), [](const LatencyRow &row) { return QVariant(idOf(row)); }, this)),
      m_table(new ItemView(QStringLiteral("latencyTable"), tr("Statistics of benchmark cases"), this)),
      m_sentence(new QLabel(this)), m_withoutCompiles(new QCheckBox(tr("&Without samples held up by a compile"), this)),
      m_percentiles(new ChartView(tr("Latency by percentile"), this)), m_histogram(new ChartView(tr("Histogram of latency"), this)),
      m_runOrder(new ChartView(tr("Samples in run order"), this)) {
  setObjectName(QStringLiteral("latency"));
  m_withoutCompiles->setObjectName(QStringLiteral("withoutCompiles"));
  m_sentence->setObjectName(QStringLiteral("latencySentence"));
  m_sentence->setWordWrap(true);
  m_sentence->setMinimumWidth(160);
  m_sentence->setContentsMargins(8, 4, 8, 2);
  m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_table->setSource(m_model, 0, Qt::AscendingOrder);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  auto *only = new QAction(tr("&Only This Case"), m_table);
  m_table->addAction(only);
  connect(only, &QAction::triggered, this, [this] {
    if (const QVariant id = m_table->currentId(); id.isValid()) {
      const LatencyRow &row = *std::ranges::find(m_model->rows(), id.toLongLong(), idOf);
      filter().setCase(row.bench.id, caseText(row.bench.name, row.bench.input));
    }
  });
  setFocusProxy(m_table);

  auto *line = new QHBoxLayout;
  line->addWidget(m_sentence, 1);
  line->addWidget(m_withoutCompiles, 0, Qt::AlignTop);
  line->setContentsMargins(0, 4, 8, 0);
  auto *pair = new Splitter(QStringLiteral("latencyPair"), Qt::Horizontal, this);
  pair->addWidget(m_percentiles);
  pair->addWidget(m_histogram);
  pair->restore({500, 500});
  auto *splitter = new Splitter(QStringLiteral("latency"), Qt::Vertical, this);
  splitter->addWidget(m_table);
  splitter->addWidget(pair);
  splitter->addWidget(m_runOrder);
  splitter->restore({140, 310, 240});
  // In a low window one scrolls: charts of a few lines would show nothing.
  splitter->setMinimumHeight(460);
  splitter->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  auto *content = new QWidget(this);
  auto *contentLayout = new QVBoxLayout(content);
  contentLayout->setContentsMargins(0, 0, 0, 0);
  contentLayout->setSpacing(2);
  contentLayout->addLayout(line);
  contentLayout->addWidget(splitter, 1);
  auto *scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(content);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);

  connect(m_withoutCompiles, &QCheckBox::toggled, this, [this] {
    // The same rows say something else now.
    m_model->setRows(std::vector<LatencyRow>(m_model->rows()));
    drawCharts();
  });
  connect(m_table, &ItemView::idChosen, this, [this](const QVariant &id) {
    if (m_case != caseOf(id)) {
      m_case = caseOf(id);
      readSamples();
    }
  });
  m_runOrder->setLocations([this](QChart &chart, const QPointF &place) { return sampleAt(chart, place); });
  connect(m_runOrder, &ChartView::locationChosen, this, [this](const QVariant &id) {
    focus().setCall(base::CallId(id.toULongLong()), {});
    Q_EMIT pageWanted(QStringLiteral("timeline"));
  });
  clear();
}

QString LatencyPage::hint() const { return tr("What benchmark cases measured, cold and warm"); }

const analysis::Statistics &LatencyPage::times(const LatencyRow &row) const {
  return m_withoutCompiles != nullptr && m_withoutCompiles->isChecked() ? row.leg.steadyState() : row.leg.times;
}

std::vector<Column<LatencyRow>> LatencyPage::columns() const {
  using analysis::Statistics;
  const auto duration = [this](const QString &title, const QString &tip, auto get,
                               const std::function<QString(const Statistics &)> &rowTip = {}) {
    Column<LatencyRow> column{title,
                              tip,
                              true,
                              [this, get](const LatencyRow &row) { return durationText(static_cast<double>(get(times(row)))); },
                              [this, get](const LatencyRow &row) { return QVariant(static_cast<double>(get(times(row)))); },
                              {},
                              {},
                              QStringLiteral("ns")};
    if (rowTip) {
      column.rowTip = [this, rowTip](const LatencyRow &row) { return rowTip(times(row)); };
    }
    return column;
  };
  const auto bound = [this](const QString &title, double analysis::Interval::*end) {
    return Column<LatencyRow>{title,
                              tr("The 95 % confidence interval of the median"),
                              true,
                              [this, end](const LatencyRow &row) {
                                const auto &interval = times(row).medianInterval;
                                return interval ? durationText((*interval).*end) : QString();
                              },
                              [this, end](const LatencyRow &row) {
                                const auto &interval = times(row).medianInterval;
                                return interval ? QVariant((*interval).*end) : QVariant();
                              },
                              {},
                              {},
                              QStringLiteral("ns")};
  };
  const auto count = [](const QString &title, const QString &tip, auto get) {
    return Column<LatencyRow>{title,
                              tip,
                              true,
                              [get](const LatencyRow &row) { return countText(get(row)); },
                              [get](const LatencyRow &row) { return numberValue(get(row)); },
                              {},
                              {}};
  };
  return {
      {tr("Case"), {}, false, [](const LatencyRow &row) { return caseText(row.bench.name, row.bench.input); }, {}, {}, {}},
      {tr("Leg"),
       tr("Cold: no warm-up, empty cache, a process of its own"),
       false,
       [](const LatencyRow &row) { return toText(nameOf(row.leg.leg)); },
       {},
       {},
       {}},
      {tr("ips"),
       tr("Iterations a second"),
       true,
       [this](const LatencyRow &row) { return QString::fromStdString(base::formatRate(times(row).perSecond)); },
       [this](const LatencyRow &row) { return QVariant(times(row).perSecond); },
       {},
       {}},
      duration(
          tr("Average"), {}, [](const Statistics &s) { return s.average; },
          [](const Statistics &s) { return intervalText(s.averageInterval); }),
      {tr("Deviation"),
       tr("Standard deviation as a share of the average"),
       true,
       [this](const LatencyRow &row) {
         return QStringLiteral("±") + QString::fromStdString(base::formatShare(times(row).deviationRatio));
       },
       [this](const LatencyRow &row) { return QVariant(times(row).deviationRatio); },
       {},
       {},
       QStringLiteral("ratio to the average")},
      duration(
          tr("Median"), {}, [](const Statistics &s) { return s.median; },
          [](const Statistics &s) { return intervalText(s.medianInterval); }),
      bound(tr("95 % from"), &analysis::Interval::lower),
      bound(tr("to"), &analysis::Interval::upper),
      duration(
          tr("99th %"), {}, [](const Statistics &s) { return s.p99; },
          [](const Statistics &s) { return intervalText(s.p99Interval); }),
      duration(tr("Minimum"), {}, [](const Statistics &s) { return s.minimum; }),
      duration(tr("Maximum"), {}, [](const Statistics &s) { return s.maximum; }),
      {tr("First"),
       tr("The sample that was taken first; empty if the filter hides it"),
       true,
       [this](const LatencyRow &row) {
         return row.leg.hasFirst() ? durationText(static_cast<double>(times(row).first)) : QString();
       },
       [this](const LatencyRow &row) { return row.leg.hasFirst() ? QVariant(static_cast<double>(times(row).first)) : QVariant(); },
       {},
       {},
       QStringLiteral("ns")},
      count(tr("Samples"), {}, [this](const LatencyRow &row) { return times(row).sampleSize; }),
      count(tr("Held up"), tr("Samples that a compile held up: they compiled, or waited for another call's compile"),
            [](const LatencyRow &row) { return row.leg.outcomes.heldUpByCompile(); }),
      count(tr("Outliers"), tr("Samples beyond 1.5 interquartile ranges"),
            [this](const LatencyRow &row) { return times(row).outliers(); }),
  };
}

void LatencyPage::clear() {
  m_groups.reset();
  m_model->setRows({});
  m_case.reset();
  m_legs.clear();
  m_sentence->setText(tr("No session is open."));
  drawCharts();
}

void LatencyPage::refresh() {
  if (!m_groups || m_groups->selection() != filter().selection()) {
    m_groups = std::make_shared<analysis::CallGroups>(filter().selection(), analysis::CallGroups::Of::Samples);
  }
  // Of a session that has ended nothing new comes: its samples need not stay in memory.
  std::shared_ptr<analysis::CallGroups> groups = store().isRecording() ? m_groups : std::exchange(m_groups, nullptr);
  store().ask(
      Lane::Bulk, QStringLiteral("latency"), this,
      [groups = std::move(groups)](session::SessionReader &reader) { return readRows(reader, *groups); },
      [this](LatencyAnswer answer) {
        const QVariant chosen = m_table->currentId();
        m_model->setRows(std::move(answer.rows));
        const bool isGoingOn = !answer.progress.isDone();
        m_table->setPlaceholder(isGoingOn ? progressText(answer.progress)
                                          : tr("No benchmark was measured here. A script measures cases, cold and warm, with\n"
                                               "bench { { \"name\", f, a, b } }"));
        if (m_model->rows().empty()) {
          m_case.reset();
          m_legs.clear();
          m_sentence->setText(isGoingOn ? progressText(answer.progress)
                                        : tr("No benchmark was measured here. A script measures cases with bench { … }."));
          drawCharts();
          return;
        }
        m_table->showId(chosen.isValid() ? chosen : m_model->data(m_model->index(0, 0), IdRole));
        if (!m_table->currentId().isValid()) {
          m_table->showId(m_model->data(m_model->index(0, 0), IdRole));
        }
        m_case = caseOf(m_table->currentId());
        readSamples();
      });
}

void LatencyPage::readSamples() {
  if (!m_case) {
    return;
  }
  store().ask(
      Lane::Bulk, QStringLiteral("latency-samples"), this,
      [selection = filter().selection(), id = *m_case](session::SessionReader &reader) {
        return charts::readLegs(reader, selection, id);
      },
      [this](std::vector<charts::LegLatency> legs) {
        m_legs = std::move(legs);
        drawCharts();
      });
}

std::optional<ChartLocation> LatencyPage::sampleAt(QChart &chart, const QPointF &place) const {
  const std::optional<charts::SampleLocation> location = charts::sampleAt(chart, m_drawn, place);
  if (!location) {
    return std::nullopt;
  }
  const auto leg = std::ranges::find(m_drawn, location->leg, &charts::LegLatency::leg);
  QStringList lines{tr("%1 leg, sample %2 of the %3 shown")
                        .arg(toText(nameOf(location->leg)), countText(location->index + 1), countText(leg->samples.size())),
                    QStringLiteral("%1  %2").arg(toText(nameOf(location->sample.outcome)),
                                                 durationText(static_cast<double>(location->sample.totalNs)))};
  lines << tr("Click to see its cost and reason");
  return ChartLocation{lines.join(QLatin1Char('\n')), numberValue(location->sample.id.value)};
}

void LatencyPage::drawCharts() {
  const bool without = m_withoutCompiles->isChecked();
  m_drawn = without ? charts::withoutCompiles(m_legs) : m_legs;
  m_percentiles->setChart(charts::percentileChart(m_drawn, palette()));
  m_histogram->setChart(charts::histogramChart(m_drawn, palette()));
  m_runOrder->setChart(charts::runOrderChart(m_drawn, palette()));
  if (!m_case) {
    return;
  }
  QStringList parts;
  for (const LatencyRow &row : m_model->rows()) {
    if (row.bench.id != *m_case) {
      continue;
    }
    const analysis::Statistics &shown = without ? row.leg.steadyState() : row.leg.times;
    const bool leavesOut = without && row.leg.withoutCompiles.has_value();
    const QString first = !row.leg.hasFirst() ? tr("first sample left out by the filter")
                          : leavesOut         ? tr("first of them %1").arg(durationText(static_cast<double>(shown.first)))
                                              : tr("first sample %1").arg(durationText(static_cast<double>(shown.first)));
    QString part = tr("<b>%1</b>: %2, median %3")
                       .arg(toText(nameOf(row.leg.leg)),
                            leavesOut ? tr("%1 of %2 samples, without those that a compile held up; %3")
                                            .arg(countText(shown.sampleSize), countText(row.leg.times.sampleSize), first)
                                      : first,
                            durationText(shown.median));
    // What the compiles did to all samples is beside what is shown without them.
    for (const std::string &note : leavesOut ? std::vector<std::string>() : report::legNotes(row.leg)) {
      part += QStringLiteral(". ") + toText(note).toHtmlEscaped();
    }
    parts << part;
  }
  m_sentence->setText(parts.join(QStringLiteral(".&nbsp; ")));
}

} // namespace jitscope::ui
