// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/templates_page.h"

#include "analysis/summary.h"
#include "base/try.h"
#include "ui/charts/compile_charts.h"
#include "ui/models/rows_model.h"
#include "ui/models/template_model.h"
#include "ui/widgets/chart_view.h"
#include "ui/widgets/layout/splitter.h"
#include "ui/widgets/storm_label.h"
#include "ui/widgets/tables/item_view.h"
#include "ui/widgets/tables/search_field.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace jitscope::ui {

namespace {

struct TemplatesAnswer {
  std::vector<analysis::FunctionSummary> functions;
  std::vector<analysis::RecompileStorm> storms;
  std::map<base::TemplateId, analysis::ReasonCounts> reasons;
  std::vector<event::MemoryEvent> memory;
  std::vector<event::EvictionEvent> evictions;
};

base::Result<TemplatesAnswer> readAnswer(session::SessionReader &reader, const analysis::Selection &selection) {
  JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
  JITSCOPE_TRY(std::vector<analysis::FunctionSummary> functions, analysis::readFunctions(reader, selection));
  JITSCOPE_TRY(std::vector<analysis::RecompileStorm> storms, analysis::readStorms(reader, selection, functions));
  JITSCOPE_TRY(auto reasons, analysis::readReasons(reader.database(), selection));
  JITSCOPE_TRY(auto memory, reader.memory());
  JITSCOPE_TRY(auto evictions, reader.evictions());
  if (const auto &range = selection.range) {
    std::erase_if(evictions, [&range](const event::EvictionEvent &entry) { return !range->contains(entry.atNs); });
    // What the cache held when the range began was said before.
    const auto first = std::ranges::upper_bound(memory, range->fromNs, {}, &event::MemoryEvent::atNs);
    const auto end = std::ranges::lower_bound(memory, range->toNs, {}, &event::MemoryEvent::atNs);
    memory.erase(std::max(first, end), memory.end());
    memory.erase(memory.begin(), first == memory.begin() ? first : std::prev(first));
    if (!memory.empty()) {
      memory.front().atNs = std::max(memory.front().atNs, range->fromNs);
    }
  }
  return TemplatesAnswer{std::move(functions), std::move(storms), std::move(reasons), std::move(memory), std::move(evictions)};
}

} // namespace

TemplatesPage::TemplatesPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Templates"), parent), m_model(new TemplateModel(this)),
      m_tree(new ItemView(QStringLiteral("templateTree"), tr("Functions and templates"), this)),
      m_search(new SearchField(tr("Search functions and templates"), this)),
      m_storms(new StormLabel(StormLabel::Advice::Given, this)), m_cache(new ChartView(tr("Cache over time"), this)) {
  setObjectName(QStringLiteral("templates"));
  m_tree->setRootIsDecorated(true);
  m_tree->setMaxWidth(TemplateModel::Name, 420);
  m_tree->setSource(m_model, TemplateModel::CompileTime, Qt::DescendingOrder);
  m_tree->setPlaceholder(tr("No function was called here."));
  m_tree->proxy()->setFilterKeyColumn(TemplateModel::Name);
  connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
    m_tree->proxy()->setFilterFixedString(text);
    expandIfFew();
  });

  const auto currentSource = [this] { return m_tree->proxy()->mapToSource(m_tree->currentIndex()); };
  auto *onlyFunction = new QAction(tr("Only This &Function"), m_tree);
  auto *onlyTemplate = new QAction(tr("Only This &Template"), m_tree);
  m_tree->addActions({onlyFunction, onlyTemplate});
  connect(onlyFunction, &QAction::triggered, this, [this, currentSource] {
    if (const QModelIndex index = currentSource(); index.isValid()) {
      const analysis::FunctionSummary &function = m_model->functionAt(index);
      filter().setFunction(function.id, lineText(function.name));
    }
  });
  connect(onlyTemplate, &QAction::triggered, this, [this, currentSource] {
    const QModelIndex index = currentSource();
    if (const analysis::TemplateSummary *chosen = index.isValid() ? m_model->templateAt(index) : nullptr) {
      filter().setTemplate(chosen->id, signatureText(chosen->signature));
    }
  });
  connect(m_tree, &ItemView::idChosen, this, [this](const QVariant &id) {
    if (id.toLongLong() > 0) {
      focus().setTemplate(base::TemplateId(static_cast<std::uint32_t>(id.toLongLong())));
    }
  });
  connect(&focus(), &Focus::templateChanged, this,
          [this](base::TemplateId id) { m_tree->showId(static_cast<qlonglong>(id.value)); });
  setFocusProxy(m_tree);

  auto *top = new QWidget(this);
  auto *topLayout = new QVBoxLayout(top);
  topLayout->setContentsMargins(0, 0, 0, 0);
  topLayout->setSpacing(0);
  topLayout->addWidget(m_storms);
  topLayout->addWidget(m_search);
  topLayout->addWidget(m_tree);
  auto *splitter = new Splitter(QStringLiteral("templates"), Qt::Vertical, this);
  splitter->addWidget(top);
  splitter->addWidget(m_cache);
  splitter->restore({470, 220});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  clear();
}

QString TemplatesPage::hint() const { return tr("Functions, their templates, and what the cache held"); }

void TemplatesPage::clear() {
  m_model->setFunctions({}, {}, {});
  m_storms->setStorms({});
  m_memory.clear();
  m_evictions.clear();
  drawChart();
}

void TemplatesPage::drawChart() {
  m_cache->setChart(charts::cacheChart(
      m_memory, m_evictions, filter().selection().range.value_or(analysis::TimeRange{0, store().row().durationNs}), palette()));
}

void TemplatesPage::expandIfFew() {
  constexpr int kFewRows = 200;
  const QSortFilterProxyModel &shown = *m_tree->proxy();
  int rows = shown.rowCount();
  for (int function = 0; function < shown.rowCount() && rows <= kFewRows; ++function) {
    rows += shown.rowCount(shown.index(function, 0));
  }
  if (rows <= kFewRows) {
    m_tree->expandAll();
  }
}

void TemplatesPage::refresh() {
  store().ask(
      SessionStore::Lane::Bulk, QStringLiteral("templates"), this,
      [selection = filter().selection()](session::SessionReader &reader) { return readAnswer(reader, selection); },
      [this](TemplatesAnswer answer) {
        m_storms->setStorms(answer.storms);
        m_model->setFunctions(std::move(answer.functions), std::move(answer.reasons), answer.storms);
        expandIfFew();
        m_tree->fitColumns();
        m_tree->showId(static_cast<qlonglong>(focus().templateId().value));
        m_memory = std::move(answer.memory);
        m_evictions = std::move(answer.evictions);
        drawChart();
      });
}

} // namespace jitscope::ui
