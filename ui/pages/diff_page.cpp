// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff_page.h"

#include "ui/diff/diff_view.h"
#include "ui/pages/diff_sides.h"
#include "ui/widgets/item_view.h"
#include "ui/widgets/splitter.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace jitscope::ui {

namespace {

using Lane = SessionStore::Lane;

/// The order in which a function's texts come to be.
int stageRank(const std::string &stage) { return stage == "before" ? 0 : stage == "final" ? 2 : 1; }

} // namespace

/// What there is to compare.
struct DiffPage::Catalogue {
  std::map<std::uint32_t, std::vector<Version>> versions;
  std::map<std::uint32_t, QString> names;
  std::map<base::CompileId, base::CompileId> standIns;
  std::map<std::string, std::string, std::less<>> symbols;
  std::uint32_t root = 0; ///< the function of the latest study
};

DiffPage::DiffPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("IR diff"), parent), m_function(new QComboBox(this)), m_left(new QComboBox(this)),
      m_right(new QComboBox(this)), m_fold(new QCheckBox(tr("&Fold equal lines"), this)),
      m_debugInfo(new QCheckBox(tr("&Debug info"), this)), m_attributes(new QCheckBox(tr("&Attributes"), this)),
      m_names(new QCheckBox(tr("&Original names"), this)), m_summary(new QLabel(this)), m_view(new DiffView(this)),
      m_passes(new RowsModel<PassRow>(
          passRowColumns(), [](const PassRow &row) { return QVariant(row.pass.seq); }, this)),
      m_passTable(new ItemView(QStringLiteral("diffPasses"), tr("Passes over the function"), this)),
      m_remarks(new RowsModel<SideRemark>(
          sideRemarkColumns(),
          [](const SideRemark &row) {
            return QVariant(QStringLiteral("%1|%2|%3").arg(row.isLeft).arg(row.remark.line).arg(toText(row.remark.message)));
          },
          this)),
      m_remarkTable(new ItemView(QStringLiteral("diffRemarks"), tr("Remarks that differ"), this)), m_why(new QTextBrowser(this)) {
  setObjectName(QStringLiteral("diff"));
  m_fold->setChecked(true);
  const std::array<std::pair<QComboBox *, QString>, 3> boxes{
      {{m_function, tr("Function")}, {m_left, tr("Left side")}, {m_right, tr("Right side")}}};
  auto *bar = new QHBoxLayout;
  bar->setContentsMargins(8, 6, 8, 4);
  for (const auto &[box, name] : boxes) {
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(18);
    bar->addWidget(box, 1);
  }
  m_fold->setToolTip(tr("Long stretches that are the same on both sides become one line"));
  m_debugInfo->setToolTip(tr("Shows debug records and !dbg attachments, too"));
  m_attributes->setToolTip(tr("Shows attributes, linkage hints and metadata, too"));
  m_names->setToolTip(tr("Keeps the numbers that LLVM gave to values, instead of one name for the same value on both sides"));
  for (QCheckBox *box : {m_fold, m_debugInfo, m_attributes, m_names}) {
    bar->addWidget(box);
  }
  m_summary->setContentsMargins(8, 0, 8, 4);
  m_passTable->setSource(m_passes, 0, Qt::AscendingOrder);
  m_passTable->setSelectionMode(QAbstractItemView::SingleSelection);
  m_passTable->setPlaceholder(tr("No passes were recorded."));
  m_remarkTable->setSource(m_remarks, 1, Qt::AscendingOrder);
  m_remarkTable->setPlaceholder(tr("No remark about this function is on one side only."));
  m_why->setObjectName(QStringLiteral("diffWhy"));
  m_why->setAccessibleName(tr("Where and why the sides part ways"));
  m_why->setFrameShape(QFrame::NoFrame);
  setFocusProxy(m_view);

  auto *across = new Splitter(QStringLiteral("diffAcross"), Qt::Horizontal, this);
  across->addWidget(m_passTable);
  across->addWidget(m_view);
  across->setStretchFactor(1, 1);
  across->restore({290, 860});
  auto *below = new Splitter(QStringLiteral("diffBelow"), Qt::Horizontal, this);
  below->addWidget(m_why);
  below->addWidget(m_remarkTable);
  below->restore({520, 640});
  auto *splitter = new Splitter(QStringLiteral("diff"), Qt::Vertical, this);
  splitter->addWidget(across);
  splitter->addWidget(below);
  splitter->restore({480, 190});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(m_summary);
  layout->addWidget(splitter, 1);

  connect(m_function, &QComboBox::currentIndexChanged, this, &DiffPage::fillVersions);
  for (QComboBox *box : {m_left, m_right}) {
    connect(box, &QComboBox::currentIndexChanged, this, &DiffPage::compare);
  }
  connect(m_fold, &QCheckBox::toggled, m_view, &DiffView::setFolding);
  for (QCheckBox *box : {m_debugInfo, m_attributes, m_names}) {
    connect(box, &QCheckBox::toggled, this, &DiffPage::compare);
  }
  connect(m_passTable, &ItemView::idChosen, this, [this](const QVariant &id) {
    const auto row = std::ranges::find(m_passes->rows(), id.toUInt(), [](const PassRow &pass) { return pass.pass.seq; });
    if (row != m_passes->rows().end()) {
      choosePass(*row);
    }
  });
  connect(m_remarkTable, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
    if (const int line = m_remarks->row(m_remarkTable->proxy()->mapToSource(index)).remark.line; line > 0) {
      Q_EMIT lineWanted(line);
    }
  });
  connect(&focus(), &Focus::compileChanged, this, [this] { setStale(); });
  const auto addKey = [this](const QKeySequence &keys, auto slot) {
    auto *action = new QAction(this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
  };
  addKey(Qt::Key_F7, [this] { m_view->stepChange(-1); });
  addKey(Qt::Key_F8, [this] { m_view->stepChange(1); });
  addKey(QKeySequence(Qt::ALT | Qt::Key_Up), [this] { stepPass(-1); });
  addKey(QKeySequence(Qt::ALT | Qt::Key_Down), [this] { stepPass(1); });
  clear();
}

QString DiffPage::hint() const { return tr("What pipelines and passes made of a function, side by side"); }

void DiffPage::recolour() { m_view->setColours(palette()); }

void DiffPage::clear() {
  m_versions.clear();
  m_functionNames.clear();
  m_standIns.clear();
  m_symbols.clear();
  m_view->setColours(palette());
  fillFunctions();
}

void DiffPage::refresh() {
  store().ask(
      Lane::Bulk, QStringLiteral("diff"), this,
      [](session::SessionReader &reader) -> base::Result<Catalogue> {
        const base::Result<session::ReadSnapshot> held = reader.snapshot();
        if (!held) {
          return std::unexpected(held.error());
        }
        const auto functions = reader.functions();
        const auto compiles = reader.compiles();
        const auto snapshots = session::OptimizerReader(reader).snapshots();
        if (!functions || !compiles || !snapshots) {
          return std::unexpected(!functions ? functions.error() : !compiles ? compiles.error() : snapshots.error());
        }
        std::map<base::CompileId, const event::CompileEvent *> byId;
        for (const event::CompileEvent &compile : *compiles) {
          byId[compile.id] = &compile;
        }
        const auto studies = session::OptimizerReader(reader).studies();
        if (!studies) {
          return std::unexpected(studies.error());
        }
        Catalogue catalogue;
        catalogue.standIns = standInsFor(*compiles, *snapshots);
        catalogue.root = studies->empty() ? 0 : studies->back().functionId.value;
        for (const event::FunctionEvent &function : *functions) {
          catalogue.names[function.id.value] = functionText(function.name, function.line, function.eager);
          if (!function.symbol.empty()) {
            catalogue.symbols.emplace(function.symbol, function.name);
          }
        }
        for (const session::SnapshotRow &row : *snapshots) {
          const auto compile = byId.find(row.compileId);
          if (compile == byId.end()) {
            continue;
          }
          const std::string &pipeline = compile->second->pipeline;
          QString title = tr("%1 · %2").arg(lineText(pipeline), lineText(row.stage));
          if (row.passSeq > 0) {
            title += tr(" · after pass %1").arg(row.passSeq);
          }
          title += tr("  (compile %1)").arg(row.compileId.value);
          catalogue.versions[row.functionId.value].push_back({row, title, pipeline, compile->second->studyId});
        }
        return catalogue;
      },
      [this](Catalogue catalogue) {
        m_versions = std::move(catalogue.versions);
        m_functionNames = std::move(catalogue.names);
        m_standIns = std::move(catalogue.standIns);
        m_symbols = std::move(catalogue.symbols);
        m_root = catalogue.root;
        fillFunctions();
      });
}

void DiffPage::fillFunctions() {
  {
    const QSignalBlocker quiet(m_function);
    const QVariant chosen = m_function->currentData();
    m_function->clear();
    std::uint32_t wanted = chosen.isValid() ? 0 : m_root;
    for (const auto &[id, versions] : m_versions) {
      m_function->addItem(m_functionNames.contains(id) ? m_functionNames[id] : tr("(code of no function)"), id);
      for (const Version &version : versions) {
        // The last function with a text of the compile that is looked at is its root more often than not.
        wanted = version.row.compileId == lookedAt() ? id : wanted;
      }
    }
    const QVariant target = wanted != 0 ? QVariant(wanted) : chosen;
    m_function->setCurrentIndex(std::max(target.isValid() ? m_function->findData(target) : 0, m_versions.empty() ? -1 : 0));
  }
  fillVersions();
}

void DiffPage::fillVersions() {
  const auto known = m_versions.find(m_function->currentData().toUInt());
  {
    const QSignalBlocker quietLeft(m_left);
    const QSignalBlocker quietRight(m_right);
    m_left->clear();
    m_right->clear();
    if (known != m_versions.end()) {
      const std::vector<Version> &versions = known->second;
      for (const Version &version : versions) {
        m_left->addItem(version.title);
        m_right->addItem(version.title);
      }
      // Two pipelines beside each other where there are two, else what one made of the function. The compile that is looked at
      // first, the latest otherwise.
      int right = static_cast<int>(versions.size()) - 1;
      for (int i = right; i >= 0; --i) {
        const Version &version = versions[static_cast<std::size_t>(i)];
        // Of several pipelines the second beside the first, as they were asked for.
        const bool isOther = version.pipeline != versions.front().pipeline && stageRank(version.row.stage) == 2;
        right = isOther ? i : right;
      }
      for (int i = 0; i < static_cast<int>(versions.size()); ++i) {
        const Version &version = versions[static_cast<std::size_t>(i)];
        if (version.row.compileId == lookedAt() && version.row.passSeq == 0) {
          right = i;
        }
      }
      const Version &chosen = versions[static_cast<std::size_t>(right)];
      int left = 0;
      int otherPipeline = -1;
      for (int i = 0; i < static_cast<int>(versions.size()); ++i) {
        const Version &version = versions[static_cast<std::size_t>(i)];
        if (version.row.compileId == chosen.row.compileId && stageRank(version.row.stage) == 0) {
          left = i;
        }
        const bool isOther = version.pipeline != chosen.pipeline && version.row.passSeq == 0 &&
                             stageRank(version.row.stage) == stageRank(chosen.row.stage);
        // One of the same study compiled the same input.
        const bool isCloser = otherPipeline < 0 || (version.studyId == chosen.studyId &&
                                                    versions[static_cast<std::size_t>(otherPipeline)].studyId != chosen.studyId);
        otherPipeline = isOther && isCloser ? i : otherPipeline;
      }
      m_left->setCurrentIndex(otherPipeline >= 0 ? otherPipeline : left);
      m_right->setCurrentIndex(right);
    }
  }
  compare();
}

base::CompileId DiffPage::lookedAt() const {
  const auto standIn = m_standIns.find(focus().compileId());
  return standIn == m_standIns.end() ? focus().compileId() : standIn->second;
}

void DiffPage::showWhy(const std::vector<std::string> &sentences) {
  QString html = QStringLiteral("<p style=\"margin:0 0 4px 0\"><b>%1</b></p>").arg(tr("Where the sides part ways"));
  for (const std::string &sentence : sentences) {
    html += QStringLiteral("<p style=\"margin:0 0 6px 0\">%1</p>").arg(lineText(sentence, 2000).toHtmlEscaped());
  }
  if (sentences.empty()) {
    html += QStringLiteral("<p style=\"margin:0; color:%1\">%2</p>")
                .arg(palette().dimText.name(), tr("That is told of two pipelines: choose another one on the left."));
  }
  m_why->setHtml(html);
}

const DiffPage::Version *DiffPage::versionOf(const QComboBox &box) const {
  const auto known = m_versions.find(m_function->currentData().toUInt());
  const int index = box.currentIndex();
  return known == m_versions.end() || index < 0 || index >= static_cast<int>(known->second.size())
             ? nullptr
             : &known->second[static_cast<std::size_t>(index)];
}

void DiffPage::compare() {
  const Version *left = versionOf(*m_left);
  const Version *right = versionOf(*m_right);
  if (left == nullptr || right == nullptr) {
    m_summary->clear();
    showWhy({});
    m_passes->setRows({});
    m_remarks->setRows({});
    m_view->setMessage(store().isOpen() ? tr("No IR was recorded in this session. A script records it under several pipelines with "
                                             "study{ f, …, pipelines = { … } }.")
                                        : tr("No session is open."));
    return;
  }
  analysis::IrTextOptions options;
  options.debugInfo = m_debugInfo->isChecked();
  options.attributes = m_attributes->isChecked();
  options.originalNames = m_names->isChecked();
  options.symbolNames = m_symbols;
  const QString leftTitle = left->title;
  const QString rightTitle = right->title;
  m_summary->setText(tr("Comparing…"));
  store().ask(
      Lane::Bulk, QStringLiteral("diff-texts"), this,
      [leftId = left->row.irId, rightId = right->row.irId,
       options](session::SessionReader &reader) -> base::Result<analysis::TextDiff> {
        session::OptimizerReader optimizer(reader);
        const base::Result<std::string> leftText = optimizer.irText(leftId);
        const base::Result<std::string> rightText = optimizer.irText(rightId);
        if (!leftText || !rightText) {
          return std::unexpected(!leftText ? leftText.error() : rightText.error());
        }
        return analysis::diffIr(*leftText, *rightText, options);
      },
      [this, leftTitle, rightTitle](analysis::TextDiff diff) {
        QString text = diff.isEqual()
                           ? tr("Both are equal.")
                           : tr("%1 lines changed, %2 only on the left, %3 only on the right. F8 goes to the next change, F7 "
                                "to the one before.")
                                 .arg(countText(diff.changed), countText(diff.leftOnly), countText(diff.rightOnly));
        if (diff.isCoarse) {
          text += tr(" The texts are so long that not everything was compared with everything.");
        }
        m_summary->setText(text);
        m_view->setDiff(std::move(diff), leftTitle, rightTitle);
      });
  readAround();
}

void DiffPage::readAround() {
  const Version *left = versionOf(*m_left);
  const Version *right = versionOf(*m_right);
  struct Around {
    std::vector<PassRow> passes;
    std::vector<SideRemark> remarks;
    std::vector<std::string> why;
  };
  const base::FunctionId function(m_function->currentData().toUInt());
  std::set<std::uint32_t> kept;
  for (const Version &version : m_versions[function.value]) {
    if (version.row.compileId == right->row.compileId && version.row.passSeq > 0) {
      kept.insert(version.row.passSeq);
    }
  }
  store().ask(
      Lane::Bulk, QStringLiteral("diff-around"), this,
      [leftCompile = left->row.compileId, rightCompile = right->row.compileId, function,
       kept](session::SessionReader &reader) -> base::Result<Around> {
        const auto passes = session::OptimizerReader(reader).passes(rightCompile);
        const auto leftRemarks = analysis::readRemarkGroups(reader.database(), {}, leftCompile);
        const auto rightRemarks = analysis::readRemarkGroups(reader.database(), {}, rightCompile);
        if (!passes || !leftRemarks || !rightRemarks) {
          return std::unexpected(!passes ? passes.error() : !leftRemarks ? leftRemarks.error() : rightRemarks.error());
        }
        Around around;
        for (const session::PassRow &row : *passes) {
          if (row.pass.functionId == function || !row.pass.functionId.isValid()) {
            around.passes.push_back({row.pass, kept.contains(row.pass.seq)});
          }
        }
        around.remarks = differing(*leftRemarks, *rightRemarks);
        std::erase_if(around.remarks, [function](const SideRemark &row) { return row.remark.functionId != function; });
        if (leftCompile != rightCompile) {
          base::Result<std::vector<std::string>> why = partingSentences(reader, function, leftCompile, rightCompile);
          if (!why) {
            return std::unexpected(std::move(why.error()));
          }
          around.why = *std::move(why);
        }
        return around;
      },
      [this](Around around) {
        const QVariant chosen = m_passTable->currentId();
        m_passes->setRows(std::move(around.passes));
        m_passTable->header()->resizeSections(QHeaderView::ResizeToContents);
        m_passTable->header()->resizeSection(1, std::min(m_passTable->header()->sectionSize(1), 165));
        m_passTable->showId(chosen);
        m_remarks->setRows(std::move(around.remarks));
        showWhy(around.why);
        m_remarkTable->header()->resizeSections(QHeaderView::ResizeToContents);
        m_remarkTable->header()->resizeSection(4, std::max(m_remarkTable->header()->sectionSize(4), 300));
      });
}

void DiffPage::choosePass(const PassRow &row) {
  const Version *right = versionOf(*m_right);
  if (!row.hasText || right == nullptr) {
    m_summary->setText(
        tr("The text after %1 was not kept; it is where a run asks for the IR after every pass.").arg(lineText(row.pass.name)));
    return;
  }
  // The text after this pass on the right, and on the left the one before it.
  const std::vector<Version> &versions = m_versions[m_function->currentData().toUInt()];
  int before = -1;
  int after = -1;
  for (int i = 0; i < static_cast<int>(versions.size()); ++i) {
    const session::SnapshotRow &snapshot = versions[static_cast<std::size_t>(i)].row;
    if (snapshot.compileId != right->row.compileId) {
      continue;
    }
    if (snapshot.passSeq == row.pass.seq) {
      after = i;
    } else if (after < 0 && (snapshot.passSeq > 0 || stageRank(snapshot.stage) == 0)) {
      before = i;
    }
  }
  const QSignalBlocker quiet(m_left);
  m_left->setCurrentIndex(std::max(before, 0));
  const QSignalBlocker quietRight(m_right);
  m_right->setCurrentIndex(after);
  compare();
}

void DiffPage::stepPass(int direction) {
  QModelIndex index = m_passTable->currentIndex();
  do {
    index = index.isValid() ? index.siblingAtRow(index.row() + direction) : m_passTable->proxy()->index(0, 0);
    // Passes that changed nothing are stepped over.
  } while (index.isValid() && !m_passes->row(m_passTable->proxy()->mapToSource(index)).pass.changed);
  if (index.isValid()) {
    m_passTable->setCurrentIndex(index);
  }
}

} // namespace jitscope::ui
