// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_page.h"
#include "base/try.h"

#include "ui/diff/diff_view.h"
#include "ui/pages/diff/diff_sides.h"
#include "ui/widgets/layout/elided_combo_box.h"
#include "ui/widgets/layout/flow_layout.h"
#include "ui/widgets/layout/splitter.h"
#include "ui/widgets/tables/item_view.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
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

QString equalText(const ShownDiff &shown) {
  QStringList hidden;
  if (shown.attributesDiffer) {
    hidden << DiffPage::tr("attributes or metadata");
  }
  if (shown.debugInfoDiffers) {
    hidden << DiffPage::tr("debug info");
  }
  return hidden.isEmpty()
             ? DiffPage::tr("Both are equal.")
             : DiffPage::tr("The visible text is equal; only hidden parts differ: %1.").arg(hidden.join(DiffPage::tr(" and ")));
}

} // namespace

DiffPage::DiffPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("IR diff"), parent), m_function(new ElidedComboBox(this)), m_left(new ElidedComboBox(this)),
      m_right(new ElidedComboBox(this)), m_fold(new QCheckBox(tr("&Fold equal lines"), this)),
      m_debugInfo(new QCheckBox(tr("&Debug info"), this)), m_attributes(new QCheckBox(tr("&Attributes"), this)),
      m_names(new QCheckBox(tr("&Original names"), this)), m_summary(new QLabel(this)), m_passTitle(new QLabel(this)),
      m_view(new DiffView(this)), m_passes(new RowsModel<PassRow>(
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
  m_fold->setToolTip(tr("Shows each long run of equal lines as one line"));
  m_debugInfo->setToolTip(tr("Shows debug records and !dbg attachments, too"));
  m_attributes->setToolTip(tr("Shows attributes, linkage hints and metadata, too"));
  m_names->setToolTip(tr(
      "Shows the value names that LLVM gave on each side. Otherwise equal values have one name on both sides, that of the left"));
  m_names->setObjectName(QStringLiteral("originalNames"));
  m_summary->setObjectName(QStringLiteral("diffSummary"));
  m_summary->setContentsMargins(8, 0, 8, 4);
  m_summary->setWordWrap(true);
  m_summary->setMinimumWidth(1);
  m_passTitle->setContentsMargins(6, 3, 6, 3);
  m_passTitle->setWordWrap(true);
  m_passTitle->setMinimumWidth(1);
  m_passTable->setSource(m_passes, 0, Qt::AscendingOrder);
  m_passTable->setMaxWidth(1, 145);
  m_passTable->setSelectionMode(QAbstractItemView::SingleSelection);
  m_passTable->setPlaceholder(tr("No passes were recorded."));
  m_remarkTable->setSource(m_remarks, 1, Qt::AscendingOrder);
  m_why->setObjectName(QStringLiteral("diffWhy"));
  m_why->setAccessibleName(tr("Where and why the sides diverge"));
  m_why->setFrameShape(QFrame::NoFrame);
  setFocusProxy(m_view);

  auto *across = new Splitter(QStringLiteral("diffAcross"), Qt::Horizontal, this);
  auto *passes = new QWidget(this);
  auto *legend = new QLabel(tr("● changed code   ○ flags or attributes only"), passes);
  legend->setObjectName(QStringLiteral("passLegend"));
  legend->setToolTip(passMarksText());
  legend->setContentsMargins(6, 3, 6, 3);
  legend->setWordWrap(true);
  auto *passLayout = new QVBoxLayout(passes);
  passLayout->setContentsMargins(0, 0, 0, 0);
  passLayout->setSpacing(0);
  passLayout->addWidget(m_passTitle);
  passLayout->addWidget(m_passTable, 1);
  passLayout->addWidget(legend);
  across->addWidget(passes);
  across->addWidget(m_view);
  across->setStretchFactor(1, 1);
  across->setCollapsible(0, true); // in a narrow window the texts may have all of it
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
  addBar(*layout);
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
  DiffPage::clear();
}

void DiffPage::addBar(QLayout &layout) {
  auto *bar = new QWidget(this);
  auto *flow = new FlowLayout(bar);
  flow->setContentsMargins(8, 6, 8, 4);
  const std::array<std::pair<QComboBox *, QString>, 3> boxes{
      {{m_function, tr("Function")}, {m_left, tr("Left side")}, {m_right, tr("Right side")}}};
  for (const auto &[box, name] : boxes) {
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    // The sides are told apart by their study, section and compile, which stand last.
    box->setMinimumContentsLength(box == m_function ? 15 : 25);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    flow->addWidget(box);
  }
  for (QCheckBox *box : {m_fold, m_debugInfo, m_attributes, m_names}) {
    flow->addWidget(box);
  }
  layout.addWidget(bar);
}

QString DiffPage::hint() const { return tr("What pipelines and passes made of a function, side by side"); }

void DiffPage::recolour() { m_view->setColours(palette()); }

void DiffPage::clear() {
  m_catalogue = {};
  m_view->setColours(palette());
  fillFunctions();
}

void DiffPage::refresh() {
  store().ask(
      Lane::Bulk, QStringLiteral("diff"), this,
      [selection = filter().selection()](session::SessionReader &reader) { return readDiffCatalogue(reader, selection); },
      [this](DiffCatalogue catalogue) {
        m_catalogue = std::move(catalogue);
        fillFunctions();
      });
}

void DiffPage::fillFunctions() {
  {
    const QSignalBlocker quiet(m_function);
    const QVariant chosen = m_function->currentData();
    m_function->clear();
    std::uint32_t wanted = chosen.isValid() ? 0 : m_catalogue.root;
    for (const auto &[id, versions] : m_catalogue.versions) {
      const auto name = m_catalogue.names.find(id);
      m_function->addItem(name != m_catalogue.names.end() ? name->second : tr("(code of no function)"), id);
      for (const DiffVersion &version : versions) {
        // The last function with a text of the compile that is looked at is its root more often than not.
        wanted = version.row.compileId == lookedAt() ? id : wanted;
      }
    }
    const QVariant target = wanted != 0 ? QVariant(wanted) : chosen;
    m_function->setCurrentIndex(
        std::max(target.isValid() ? m_function->findData(target) : 0, m_catalogue.versions.empty() ? -1 : 0));
  }
  fillVersions();
}

void DiffPage::fillVersions() {
  const std::vector<DiffVersion> &versions = m_catalogue.versionsOf(m_function->currentData().toUInt());
  {
    const QSignalBlocker quietLeft(m_left);
    const QSignalBlocker quietRight(m_right);
    m_left->clear();
    m_right->clear();
    for (const DiffVersion &version : versions) {
      for (QComboBox *box : {m_left, m_right}) {
        box->addItem(version.title);
        box->setItemData(box->count() - 1, version.tip, Qt::ToolTipRole);
      }
    }
    if (!versions.empty()) {
      const DiffSides sides = openingSides(versions, lookedAt());
      m_left->setCurrentIndex(sides.left);
      m_right->setCurrentIndex(sides.right);
    }
  }
  compare();
}

base::CompileId DiffPage::lookedAt() const {
  const auto standIn = m_catalogue.standIns.find(focus().compileId());
  return standIn == m_catalogue.standIns.end() ? focus().compileId() : standIn->second;
}

void DiffPage::showWhy(const std::vector<std::string> &sentences) {
  QString html = QStringLiteral("<p style=\"margin:0 0 4px 0\"><b>%1</b></p>").arg(tr("Where the sides diverge"));
  for (const std::string &sentence : sentences) {
    html += QStringLiteral("<p style=\"margin:0 0 6px 0\">%1</p>").arg(lineText(sentence, 2000).toHtmlEscaped());
  }
  if (sentences.empty()) {
    html += QStringLiteral("<p style=\"margin:0; color:%1\">%2</p>")
                .arg(palette().dimText.name(), tr("Select a second pipeline on the left to compare."));
  }
  m_why->setHtml(html);
}

const DiffVersion *DiffPage::versionOf(const QComboBox &box) const {
  const std::vector<DiffVersion> &versions = m_catalogue.versionsOf(m_function->currentData().toUInt());
  const int index = box.currentIndex();
  return index < 0 || index >= static_cast<int>(versions.size()) ? nullptr : &versions[static_cast<std::size_t>(index)];
}

void DiffPage::compare() {
  const DiffVersion *left = versionOf(*m_left);
  const DiffVersion *right = versionOf(*m_right);
  m_left->setToolTip(tr("Left side") + (left == nullptr ? QString() : QLatin1Char('\n') + left->tip));
  m_right->setToolTip(tr("Right side") + (right == nullptr ? QString() : QLatin1Char('\n') + right->tip));
  m_passTitle->setText(
      right == nullptr ? QString()
                       : tr("Passes on the right: %1, compile %2").arg(lineText(right->pipeline)).arg(right->row.compileId.value));
  const bool hasSides = left != nullptr && right != nullptr;
  m_remarkTable->setPlaceholder(hasSides ? tr("Both sides have the same remarks about this function.") : QString());
  if (!hasSides) {
    m_summary->clear();
    m_why->clear();
    m_passes->setRows({});
    m_remarks->setRows({});
    m_view->setMessage(!filter().selection().isEmpty() ? tr("No IR was recorded for what matches the filter.")
                       : store().isOpen()
                           ? tr("No IR was recorded in this session. A script records it under several pipelines with "
                                "study{ f, …, pipelines = { … } }.")
                           : tr("No session is open."));
    return;
  }
  analysis::IrTextOptions options;
  options.debugInfo = m_debugInfo->isChecked();
  options.attributes = m_attributes->isChecked();
  options.originalNames = m_names->isChecked();
  options.symbolNames = m_catalogue.symbols;
  const QString leftTitle = left->title;
  const QString rightTitle = right->title;
  m_summary->setText(tr("Comparing…"));
  store().ask(
      Lane::Bulk, QStringLiteral("diff-texts"), this,
      [leftId = left->row.irId, rightId = right->row.irId, options](session::SessionReader &reader) -> base::Result<ShownDiff> {
        session::OptimizerReader optimizer(reader);
        const base::Result<std::string> leftText = optimizer.irText(leftId);
        const base::Result<std::string> rightText = optimizer.irText(rightId);
        if (!leftText || !rightText) {
          return std::unexpected(!leftText ? leftText.error() : rightText.error());
        }
        return diffShown(*leftText, *rightText, options);
      },
      [this, leftTitle, rightTitle, isRenamed = !options.originalNames](ShownDiff shown) {
        analysis::TextDiff &diff = shown.diff;
        QString text = diff.isEqual()
                           ? equalText(shown)
                           : tr("Lines changed: %1, only on the left: %2, only on the right: %3. F8 goes to the next change, "
                                "F7 to the one before.")
                                 .arg(countText(diff.changed), countText(diff.leftOnly), countText(diff.rightOnly));
        if (isRenamed) {
          text += tr(" A name stands for the same value on both sides.");
        }
        if (diff.isCoarse) {
          text += tr(" The texts are long and were compared in parts, so some equal lines may be shown as different.");
        }
        m_summary->setText(text);
        m_view->setDiff(std::move(diff), leftTitle, rightTitle);
      });
  readAround();
}

void DiffPage::readAround() {
  const DiffVersion *left = versionOf(*m_left);
  const DiffVersion *right = versionOf(*m_right);
  struct Around {
    std::vector<PassRow> passes;
    std::vector<SideRemark> remarks;
    std::vector<std::string> why;
  };
  const base::FunctionId function(m_function->currentData().toUInt());
  std::set<std::uint32_t> kept;
  for (const DiffVersion &version : m_catalogue.versionsOf(function.value)) {
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
        around.passes = passesOver(function, *passes, kept);
        around.remarks = differing(*leftRemarks, *rightRemarks);
        std::erase_if(around.remarks, [function](const SideRemark &row) { return row.remark.functionId != function; });
        if (leftCompile != rightCompile) {
          JITSCOPE_TRY(std::vector<std::string> why, divergenceSentences(reader, function, leftCompile, rightCompile));
          around.why = std::move(why);
        }
        return around;
      },
      [this](Around around) {
        const QVariant chosen = m_passTable->currentId();
        m_passes->setRows(std::move(around.passes));
        m_passTable->showId(chosen);
        m_remarks->setRows(std::move(around.remarks));
        showWhy(around.why);
      });
}

void DiffPage::choosePass(const PassRow &row) {
  const DiffVersion *right = versionOf(*m_right);
  const std::optional<DiffSides> sides =
      row.hasText && right != nullptr
          ? sidesAroundPass(m_catalogue.versionsOf(m_function->currentData().toUInt()), right->row.compileId, row.pass.seq)
          : std::nullopt;
  if (!sides) {
    m_summary->setText(row.pass.changed
                           ? tr("The IR after %1 was not recorded: record with options { ir = \"passes\" } in the script, or with "
                                "--set ir=passes on the command line.")
                                 .arg(lineText(row.pass.name))
                           : tr("%1 changed nothing, so it has no IR of its own.").arg(lineText(row.pass.name)));
    return;
  }
  const QSignalBlocker quietLeft(m_left);
  const QSignalBlocker quietRight(m_right);
  m_left->setCurrentIndex(sides->left);
  m_right->setCurrentIndex(sides->right);
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
