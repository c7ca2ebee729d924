// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compiles/remarks_page.h"

#include "ui/widgets/layout/elided_label.h"
#include "ui/widgets/layout/flow_layout.h"
#include "ui/widgets/tables/item_view.h"
#include "ui/widgets/tables/link_label.h"
#include "ui/widgets/tables/search_field.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace jitscope::ui {

namespace {

using analysis::OriginRemark;
using analysis::RemarkGroup;
using analysis::RemarkOrigin;

QString pipelinesText(const RemarkRow &row) {
  QStringList names;
  for (const std::string &name : row.remark.pipelines) {
    names << lineText(name);
  }
  return names.join(QStringLiteral(", "));
}

QString placeText(const RemarkGroup &row) {
  return row.line == 0     ? QString()
         : row.column == 0 ? QString::number(row.line)
                           : QStringLiteral("%1:%2").arg(row.line).arg(row.column);
}

QString whereText(const RemarkOrigin &origin) { return originText(origin.studyId, origin.section); }

std::vector<Column<RemarkRow>> remarkColumns() {
  using Row = RemarkRow;
  const auto tr = [](const char *text) { return RemarksPage::tr(text); };
  return {
      {tr("Function"), {}, false, [](const Row &row) { return lineText(row.remark.functionName); }, {}, {}, {}},
      {tr("Line"),
       tr("Line and column of the script"),
       true,
       [](const Row &row) { return placeText(row.remark); },
       [](const Row &row) { return QVariant(row.remark.line * 10000 + row.remark.column); },
       {},
       {}},
      {tr("Kind"),
       tr("Passed: the pass did it. Missed: the pass did not. Analysis: why"),
       false,
       [](const Row &row) { return toText(nameOf(row.remark.kind)); },
       {},
       {},
       {}},
      {tr("Pass"), {}, false, [](const Row &row) { return lineText(row.remark.pass); }, {}, {}, {}},
      {tr("Name"), {}, false, [](const Row &row) { return lineText(row.remark.name); }, {}, {}, {}},
      {tr("Pipelines"), tr("Pipelines that made the remark"), false, pipelinesText, {}, {}, {}},
      {tr("Where"),
       tr("The study, or the section of the calls, that it was compiled for"),
       false,
       [](const Row &row) { return whereText(row.origin); },
       {},
       {},
       {}},
      {tr("Times"),
       {},
       true,
       [](const Row &row) { return countText(row.remark.count); },
       [](const Row &row) { return numberValue(row.remark.count); },
       {},
       {}},
      {tr("Message"), {}, false, [](const Row &row) { return lineText(row.remark.message, 1000); }, {}, {}, {}},
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
      m_model(new RowsModel<RemarkRow>(
          remarkColumns(),
          [](const RemarkRow &row) {
            const RemarkGroup &remark = row.remark;
            return QVariant(QStringLiteral("%1|%2|%3|%4|%5|%6|%7|%8")
                                .arg(toText(remark.functionName), placeText(remark), toText(remark.pass), toText(remark.name),
                                     toText(nameOf(remark.kind)), toText(remark.message))
                                .arg(row.origin.studyId.value)
                                .arg(row.origin.sectionId.value));
          },
          this)),
      m_table(new ItemView(QStringLiteral("remarkTable"), tr("Remarks"), this)),
      m_search(new SearchField(tr("Search messages"), this)), m_kind(new QComboBox(this)), m_pass(new QComboBox(this)),
      m_function(new QComboBox(this)), m_origin(new QComboBox(this)), m_pipelines(new QComboBox(this)),
      m_count(new ElidedLabel(this)), m_details(new LinkLabel(this)) {
  setObjectName(QStringLiteral("remarks"));
  for (const auto &[column, width] : {std::pair(0, 180), std::pair(4, 150), std::pair(5, 160), std::pair(6, 180)}) {
    m_table->setMaxWidth(column, width);
  }
  m_table->setSource(m_model, 0, Qt::AscendingOrder);
  m_kind->setAccessibleName(tr("Kind"));
  m_pass->setAccessibleName(tr("Pass"));
  m_function->setAccessibleName(tr("Function"));
  m_origin->setAccessibleName(tr("Study or section"));
  m_origin->setObjectName(QStringLiteral("remarkOrigin"));
  m_pipelines->setAccessibleName(tr("Pipelines"));
  m_pipelines->setObjectName(QStringLiteral("remarkPipelines"));
  m_count->setContentsMargins(8, 2, 8, 2);
  m_count->setObjectName(QStringLiteral("remarkCount"));
  m_details->setObjectName(QStringLiteral("remarkDetails"));
  m_details->setAccessibleName(tr("The selected remark"));
  m_details->setContentsMargins(8, 4, 8, 6);
  auto *ir = new QAction(tr("Show &IR"), m_table);
  m_table->addAction(ir);
  connect(ir, &QAction::triggered, this, [this] { Q_EMIT pageWanted(QStringLiteral("diff")); });
  setFocusProxy(m_table);

  auto *bar = new FlowLayout;
  bar->setContentsMargins(8, 6, 8, 4);
  for (QComboBox *box : {m_kind, m_pass, m_function, m_pipelines, m_origin}) {
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

  const auto rowOf = [this](const QModelIndex &index) -> const RemarkRow & {
    return m_model->row(m_table->proxy()->mapToSource(index));
  };
  connect(m_table, &ItemView::idChosen, this, [this, rowOf] {
    const RemarkRow &row = rowOf(m_table->currentIndex());
    showDetails(row);
    focus().setCompile(row.remark.compileId, {});
  });
  connect(m_details, &QLabel::linkActivated, this, &RemarksPage::follow);
  connect(m_table, &QAbstractItemView::activated, this, [this, rowOf](const QModelIndex &index) {
    if (const int line = rowOf(index).remark.line; line > 0) {
      Q_EMIT lineWanted(line);
    }
  });
  clear();
}

QString RemarksPage::hint() const { return tr("What optimization passes did, did not do, and why"); }

void RemarksPage::clear() {
  m_all = {};
  fillChoices();
  applyFilter();
}

void RemarksPage::showDetails(const RemarkRow &row) {
  QStringList ways;
  if (row.remark.line > 0) {
    ways << tr("<a href=\"line:%1\">line %1 of the script</a>").arg(row.remark.line);
  }
  ways << tr("<a href=\"ir\">its IR</a>");
  if (row.origin.sectionId.isValid() && !row.origin.section.empty()) {
    ways << tr("<a href=\"section:%1\">only section %2</a>")
                .arg(row.origin.sectionId.value)
                .arg(lineText(row.origin.section, 60).toHtmlEscaped());
  }
  m_details->setText(
      QStringLiteral("%1 &nbsp; %2").arg(lineText(row.remark.message, 2000).toHtmlEscaped(), ways.join(QStringLiteral(" · "))));
}

void RemarksPage::follow(const QString &link) {
  const QUrl url(link);
  if (url.scheme() == QLatin1String("line")) {
    Q_EMIT lineWanted(url.path().toInt());
  } else if (url.scheme() == QLatin1String("section")) {
    const auto origin = std::ranges::find(m_all.origins, base::SectionId(url.path().toUInt()), &RemarkOrigin::sectionId);
    if (origin != m_all.origins.end()) {
      filter().setSection(origin->sectionId, lineText(origin->section));
    }
  } else {
    Q_EMIT pageWanted(QStringLiteral("diff"));
  }
}

void RemarksPage::fillChoices() {
  std::set<std::string> kinds;
  std::set<std::string> passes;
  std::set<std::string> functions;
  std::set<std::string> pipelines;
  std::set<std::string> origins;
  for (const OriginRemark &row : m_all.remarks) {
    kinds.emplace(nameOf(row.remark.kind));
    passes.insert(row.remark.pass);
    functions.insert(row.remark.functionName);
    pipelines.insert(row.remark.pipelines.begin(), row.remark.pipelines.end());
    origins.insert(whereText(m_all.origins[row.origin]).toStdString());
  }
  setChoices(*m_kind, tr("All kinds"), kinds);
  setChoices(*m_pass, tr("All passes"), passes);
  setChoices(*m_function, tr("All functions"), functions);
  setChoices(*m_origin, tr("All studies and sections"), origins);
  m_origin->setVisible(origins.size() > 1 || m_origin->currentIndex() > 0);
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

std::vector<OriginRemark> RemarksPage::ofPipelines(const QStringList &pipelines) const {
  if (pipelines.size() == 2) {
    return m_all.onlyIn(pipelines[0].toStdString(), pipelines[1].toStdString());
  }
  std::vector<OriginRemark> rows = m_all.remarks;
  if (!pipelines.isEmpty()) {
    std::erase_if(rows, [name = pipelines[0].toStdString()](const OriginRemark &row) { return !row.remark.isIn(name); });
  }
  return rows;
}

QString RemarksPage::countLine(const std::vector<RemarkRow> &shown, const QStringList &pipelines) const {
  if (m_all.remarks.empty()) {
    return !store().isOpen()                 ? tr("No session is open.")
           : !filter().selection().isEmpty() ? tr("No remarks match the filter.")
                                             : tr("No remarks were recorded.");
  }
  std::uint64_t made = 0;
  for (const RemarkRow &row : shown) {
    made += row.remark.count;
  }
  QString line = shown.size() == m_all.remarks.size()
                     ? countText(shown.size())
                     : tr("%1 of %2").arg(countText(shown.size()), countText(m_all.remarks.size()));
  line += m_all.origins.size() > 1 ? tr(" different remarks by study and section") : tr(" different remarks");
  line += made == 1 ? tr(", made once.") : tr(", made %1 times.").arg(countText(made));
  if (pipelines.size() == 2 && m_all.origins.size() > 1) {
    line += m_all.meet(pipelines[0].toStdString(), pipelines[1].toStdString())
                ? tr(" Compared within each study and section.")
                : tr(" No study and no section has both pipelines: compared across all.");
  }
  return line + tr(" Enter or a double-click goes to the script's line.");
}

void RemarksPage::applyFilter() {
  const auto agrees = [](const QComboBox &box, const QString &value) {
    return !box.currentData().isValid() || box.currentData().toString() == value;
  };
  const QStringList pipelines = m_pipelines->currentData().toStringList();
  const QString search = m_search->text();
  std::vector<RemarkRow> rows;
  for (OriginRemark &row : ofPipelines(pipelines)) {
    const RemarkGroup &remark = row.remark;
    const RemarkOrigin &origin = m_all.origins[row.origin];
    if (agrees(*m_kind, toText(nameOf(remark.kind))) && agrees(*m_pass, toText(remark.pass)) &&
        agrees(*m_function, toText(remark.functionName)) && agrees(*m_origin, whereText(origin)) &&
        (search.isEmpty() || toText(remark.message).contains(search, Qt::CaseInsensitive) ||
         toText(remark.name).contains(search, Qt::CaseInsensitive))) {
      rows.push_back({std::move(row.remark), origin});
    }
  }
  m_table->setPlaceholder(filter().selection().isEmpty() ? tr("No remarks here.") : tr("No remarks here match the filter."));
  m_count->setText(countLine(rows, pipelines));
  const QVariant chosen = m_table->currentId();
  m_model->setRows(std::move(rows));
  m_table->showId(chosen);
  if (!m_table->currentIndex().isValid()) {
    m_details->setText(tr("Select a remark to read it in full, and to go to its line or its IR."));
  }
}

void RemarksPage::refresh() {
  store().ask(
      SessionStore::Lane::Bulk, QStringLiteral("remarks"), this,
      [selection = filter().selection()](session::SessionReader &reader) {
        return analysis::readRemarksByOrigin(reader, selection);
      },
      [this](analysis::RemarksByOrigin remarks) {
        m_all = std::move(remarks);
        fillChoices();
        applyFilter();
      });
}

} // namespace jitscope::ui
