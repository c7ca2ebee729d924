// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/remarks_page.h"

#include "ui/widgets/elided_label.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/item_view.h"
#include "ui/widgets/link_label.h"
#include "ui/widgets/search_field.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace jitscope::ui {

namespace {

using analysis::RemarkGroup;

QString pipelinesText(const RemarkGroup &row) {
  QStringList names;
  for (const std::string &name : row.pipelines) {
    names << lineText(name);
  }
  return names.join(QStringLiteral(", "));
}

QString placeText(const RemarkGroup &row) {
  return row.line == 0     ? QString()
         : row.column == 0 ? QString::number(row.line)
                           : QStringLiteral("%1:%2").arg(row.line).arg(row.column);
}

std::vector<Column<RemarkGroup>> remarkGroupColumns() {
  using Row = RemarkGroup;
  const auto tr = [](const char *text) { return RemarksPage::tr(text); };
  return {
      {tr("Function"), {}, false, [](const Row &row) { return lineText(row.functionName); }, {}, {}, {}},
      {tr("Line"),
       tr("Line and column of the script"),
       true,
       placeText,
       [](const Row &row) { return QVariant(row.line * 10000 + row.column); },
       {},
       {}},
      {tr("Kind"),
       tr("Passed: it was done. Missed: it was not. Analysis: why"),
       false,
       [](const Row &row) { return toText(nameOf(row.kind)); },
       {},
       {},
       {}},
      {tr("Pass"), {}, false, [](const Row &row) { return lineText(row.pass); }, {}, {}, {}},
      {tr("Name"), {}, false, [](const Row &row) { return lineText(row.name); }, {}, {}, {}},
      {tr("Pipelines"), tr("In which it was said"), false, pipelinesText, {}, {}, {}},
      {tr("Times"),
       {},
       true,
       [](const Row &row) { return countText(row.count); },
       [](const Row &row) { return numberValue(row.count); },
       {},
       {}},
      {tr("Message"), {}, false, [](const Row &row) { return lineText(row.message, 1000); }, {}, {}, {}},
  };
}

/// Replaces the choices, keeping the present one where it is still there. The first stands for all.
void setChoices(QComboBox &box, const QString &all, const std::set<std::string> &choices) {
  const QSignalBlocker quiet(box);
  const QVariant chosen = box.currentData();
  box.clear();
  box.addItem(all);
  for (const std::string &choice : choices) {
    box.addItem(lineText(choice, 60), QString::fromStdString(choice));
  }
  box.setCurrentIndex(std::max(chosen.isValid() ? box.findData(chosen) : 0, 0));
}

} // namespace

RemarksPage::RemarksPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Remarks"), parent),
      m_model(new RowsModel<RemarkGroup>(
          remarkGroupColumns(),
          [](const RemarkGroup &row) {
            return QVariant(QStringLiteral("%1|%2|%3|%4|%5|%6")
                                .arg(toText(row.functionName), placeText(row), toText(row.pass), toText(row.name),
                                     toText(nameOf(row.kind)), toText(row.message)));
          },
          this)),
      m_table(new ItemView(QStringLiteral("remarkTable"), tr("Remarks"), this)),
      m_search(new SearchField(tr("Search messages"), this)), m_kind(new QComboBox(this)), m_pass(new QComboBox(this)),
      m_function(new QComboBox(this)), m_pipelines(new QComboBox(this)), m_count(new ElidedLabel(this)),
      m_details(new LinkLabel(this)) {
  setObjectName(QStringLiteral("remarks"));
  for (const auto &[column, width] : {std::pair(0, 180), std::pair(4, 150), std::pair(5, 160)}) {
    m_table->setMostWidth(column, width);
  }
  m_table->setSource(m_model, 0, Qt::AscendingOrder);
  m_table->setPlaceholder(tr("No remarks here."));
  m_kind->setAccessibleName(tr("Kind"));
  m_pass->setAccessibleName(tr("Pass"));
  m_function->setAccessibleName(tr("Function"));
  m_pipelines->setAccessibleName(tr("Pipelines"));
  m_pipelines->setObjectName(QStringLiteral("remarkPipelines"));
  m_count->setContentsMargins(8, 2, 8, 2);
  m_details->setObjectName(QStringLiteral("remarkDetails"));
  m_details->setAccessibleName(tr("The chosen remark"));
  m_details->setContentsMargins(8, 4, 8, 6);
  auto *ir = new QAction(tr("Show &IR"), m_table);
  m_table->addAction(ir);
  connect(ir, &QAction::triggered, this, [this] { Q_EMIT pageWanted(QStringLiteral("diff")); });
  setFocusProxy(m_table);

  auto *bar = new FlowLayout;
  bar->setContentsMargins(8, 6, 8, 4);
  for (QComboBox *box : {m_kind, m_pass, m_function, m_pipelines}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMaximumWidth(260);
    bar->addWidget(box);
    connect(box, &QComboBox::currentIndexChanged, this, &RemarksPage::applyFilter);
  }
  bar->addWidget(m_search);
  connect(m_search, &QLineEdit::textChanged, this, &RemarksPage::applyFilter);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(m_count);
  layout->addWidget(m_table);
  layout->addWidget(m_details);

  const auto rowOf = [this](const QModelIndex &index) -> const RemarkGroup & {
    return m_model->row(m_table->proxy()->mapToSource(index));
  };
  connect(m_table, &ItemView::idChosen, this, [this, rowOf] {
    const RemarkGroup &row = rowOf(m_table->currentIndex());
    showDetails(row);
    focus().setCompile(row.compileId, {});
  });
  connect(m_details, &QLabel::linkActivated, this, [this](const QString &link) {
    if (link == QLatin1String("ir")) {
      Q_EMIT pageWanted(QStringLiteral("diff"));
    } else {
      Q_EMIT lineWanted(link.toInt());
    }
  });
  connect(m_table, &QAbstractItemView::activated, this, [this, rowOf](const QModelIndex &index) {
    if (const int line = rowOf(index).line; line > 0) {
      Q_EMIT lineWanted(line);
    }
  });
  clear();
}

QString RemarksPage::hint() const { return tr("What optimization passes did, did not do, and why"); }

void RemarksPage::clear() {
  m_all.clear();
  fillChoices();
  applyFilter();
}

void RemarksPage::showDetails(const RemarkGroup &row) {
  QStringList ways;
  if (row.line > 0) {
    ways << tr("<a href=\"%1\">line %1 of the script</a>").arg(row.line);
  }
  ways << tr("<a href=\"ir\">its IR</a>");
  m_details->setText(
      QStringLiteral("%1 &nbsp; %2").arg(lineText(row.message, 2000).toHtmlEscaped(), ways.join(QStringLiteral(" · "))));
}

void RemarksPage::fillChoices() {
  std::set<std::string> kinds;
  std::set<std::string> passes;
  std::set<std::string> functions;
  std::set<std::string> pipelines;
  for (const RemarkGroup &row : m_all) {
    kinds.emplace(nameOf(row.kind));
    passes.insert(row.pass);
    functions.insert(row.functionName);
    pipelines.insert(row.pipelines.begin(), row.pipelines.end());
  }
  setChoices(*m_kind, tr("All kinds"), kinds);
  setChoices(*m_pass, tr("All passes"), passes);
  setChoices(*m_function, tr("All functions"), functions);
  // What two pipelines do not have in common: one item for each order of two.
  const QSignalBlocker quiet(m_pipelines);
  const QVariant chosen = m_pipelines->currentData();
  m_pipelines->clear();
  m_pipelines->addItem(tr("All pipelines"));
  for (const std::string &in : pipelines) {
    m_pipelines->addItem(tr("In %1").arg(lineText(in)), QStringList{QString::fromStdString(in)});
  }
  for (const std::string &in : pipelines) {
    for (const std::string &notIn : pipelines) {
      if (in != notIn) {
        m_pipelines->addItem(tr("Only in %1, not %2").arg(lineText(in), lineText(notIn)),
                             QStringList{QString::fromStdString(in), QString::fromStdString(notIn)});
      }
    }
  }
  m_pipelines->setCurrentIndex(std::max(chosen.isValid() ? m_pipelines->findData(chosen) : 0, 0));
}

void RemarksPage::applyFilter() {
  const auto agrees = [](const QComboBox &box, std::string_view value) {
    return !box.currentData().isValid() || box.currentData().toString() == toText(value);
  };
  const QStringList pipelines = m_pipelines->currentData().toStringList();
  const QString search = m_search->text();
  std::vector<RemarkGroup> rows;
  std::ranges::copy_if(m_all, std::back_inserter(rows), [&](const RemarkGroup &row) {
    return agrees(*m_kind, nameOf(row.kind)) && agrees(*m_pass, row.pass) && agrees(*m_function, row.functionName) &&
           (pipelines.isEmpty() || row.isIn(pipelines[0].toStdString())) &&
           (pipelines.size() < 2 || !row.isIn(pipelines[1].toStdString())) &&
           (search.isEmpty() || toText(row.message).contains(search, Qt::CaseInsensitive) ||
            toText(row.name).contains(search, Qt::CaseInsensitive));
  });
  if (m_all.empty()) {
    m_count->setText(store().isOpen() ? tr("No remarks were recorded here.") : tr("No session is open."));
  } else {
    m_count->setText(tr("%1 of %2 remarks. Enter or a double-click goes to the script's line.")
                         .arg(countText(rows.size()), countText(m_all.size())));
  }
  const QVariant chosen = m_table->currentId();
  m_model->setRows(std::move(rows));
  m_table->showId(chosen);
  if (!m_table->currentIndex().isValid()) {
    m_details->setText(tr("Choose a remark for the whole of it, and for the way to its line and to its IR."));
  }
}

void RemarksPage::refresh() {
  store().ask(
      SessionStore::Lane::Bulk, QStringLiteral("remarks"), this,
      [selection = filter().selection()](session::SessionReader &reader) {
        return analysis::readRemarkGroups(reader.database(), selection);
      },
      [this](std::vector<RemarkGroup> remarks) {
        m_all = std::move(remarks);
        fillChoices();
        applyFilter();
        Q_EMIT remarksRead(m_all);
      });
}

} // namespace jitscope::ui
