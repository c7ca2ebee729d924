// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tables/item_view.h"

#include "base/natural_order.h"
#include "ui/models/rows_model.h"
#include "ui/widgets/save_file.h"
#include "ui/widgets/tables/kept_columns.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>

namespace jitscope::ui {

namespace {

QString quoted(const QString &field) {
  if (!field.contains(QLatin1Char('"')) && !field.contains(QLatin1Char(',')) && !field.contains(QLatin1Char('\n')) &&
      !field.contains(QLatin1Char('\r'))) {
    return field;
  }
  QString inner = field;
  return QLatin1Char('"') + inner.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

/// Sorts texts as people do, with the numbers in them by value.
class NaturalProxy final : public QSortFilterProxyModel {
public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
  [[nodiscard]] bool lessThan(const QModelIndex &left, const QModelIndex &right) const override {
    const QVariant one = left.data(sortRole());
    const QVariant other = right.data(sortRole());
    if (one.typeId() != QMetaType::QString || other.typeId() != QMetaType::QString) {
      return QSortFilterProxyModel::lessThan(left, right);
    }
    return base::naturalOrder(one.toString().toStdU16String(), other.toString().toStdU16String()) < 0;
  }
};

/// Shows the rows below an index, from top to bottom, to `visit`.
template <typename Visit> void eachRow(const QAbstractItemModel &model, const QModelIndex &parent, const Visit &visit) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    visit(index);
    eachRow(model, index, visit);
  }
}

} // namespace

ItemView::ItemView(const QString &name, const QString &title, QWidget *parent)
    : QTreeView(parent), m_proxy(new NaturalProxy(this)), m_columns(new KeptColumns(*this, name)) {
  setObjectName(name);
  setAccessibleName(title);
  setUniformRowHeights(true);
  setRootIsDecorated(false);
  setAlternatingRowColors(true);
  setAllColumnsShowFocus(true);
  setSelectionMode(ExtendedSelection);
  setSortingEnabled(true);
  setTextElideMode(Qt::ElideRight);
  header()->setSectionsMovable(true);
  m_proxy->setSortRole(SortRole);
  m_proxy->setRecursiveFilteringEnabled(true);
  // Of a function that is found the templates are wanted as well.
  m_proxy->setAutoAcceptChildRows(true);
  m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
}

void ItemView::setSource(QAbstractItemModel *model, int sortColumn, Qt::SortOrder order) {
  m_proxy->setSourceModel(model);
  setModel(m_proxy);
  sortByColumn(sortColumn, order);
  header()->setSectionResizeMode(QHeaderView::Interactive);
  m_columns->restore();
  connect(m_proxy, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_isShowing = true; });
  connect(m_proxy, &QAbstractItemModel::modelReset, this, [this] {
    m_isShowing = false;
    if (m_proxy->rowCount() == 0) {
      m_columns->startAnew();
    } else {
      fitColumns();
    }
  });
}

void ItemView::setMaxWidth(int column, int width) { m_columns->setMost(column, width); }

void ItemView::fitColumns() { m_columns->fit(); }

void ItemView::setPlaceholder(const QString &text) {
  m_placeholder = text;
  viewport()->update();
}

void ItemView::paintEvent(QPaintEvent *event) {
  QTreeView::paintEvent(event);
  if (m_placeholder.isEmpty() || model() == nullptr || model()->rowCount(rootIndex()) > 0) {
    return;
  }
  QPainter painter(viewport());
  painter.setPen(palette().color(QPalette::PlaceholderText));
  const bool hidesRows = m_proxy->sourceModel() != nullptr && m_proxy->sourceModel()->rowCount() > 0;
  painter.drawText(viewport()->rect().adjusted(16, 12, -16, -12),
                   static_cast<int>(Qt::AlignHCenter | Qt::AlignTop) | Qt::TextWordWrap,
                   hidesRows ? tr("Nothing matches the search.") : m_placeholder);
}

QVariant ItemView::currentId() const { return currentIndex().siblingAtColumn(0).data(IdRole); }

void ItemView::showId(const QVariant &id) {
  if (model() == nullptr || currentId() == id) {
    return;
  }
  const QScopedValueRollback<bool> showing(m_isShowing, true);
  const QModelIndexList found =
      m_proxy->match(m_proxy->index(0, 0), IdRole, id, 1, Qt::MatchExactly | Qt::MatchRecursive | Qt::MatchWrap);
  if (found.isEmpty()) {
    clearSelection();
    setCurrentIndex({});
    return;
  }
  setCurrentIndex(found.first());
  scrollTo(found.first(), EnsureVisible);
}

void ItemView::currentChanged(const QModelIndex &current, const QModelIndex &previous) {
  QTreeView::currentChanged(current, previous);
  if (!m_isShowing && current.isValid()) {
    Q_EMIT idChosen(current.siblingAtColumn(0).data(IdRole));
  }
}

QString ItemView::asText(bool all) const {
  QStringList lines;
  const auto addLine = [&](auto cellAt) {
    QStringList cells;
    for (int visual = 0; visual < header()->count(); ++visual) {
      const int column = header()->logicalIndex(visual);
      if (!header()->isSectionHidden(column)) {
        cells << cellAt(column);
      }
    }
    lines << cells.join(QLatin1Char('\t'));
  };
  addLine([this](int column) { return m_proxy->headerData(column, Qt::Horizontal).toString(); });
  eachRow(*m_proxy, {}, [&](const QModelIndex &index) {
    if (all || selectionModel()->isRowSelected(index.row(), index.parent())) {
      addLine([&index](int column) { return index.siblingAtColumn(column).data().toString(); });
    }
  });
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString ItemView::asCsv() const {
  QStringList lines;
  QStringList titles;
  for (int column = 0; column < m_proxy->columnCount(); ++column) {
    const QString title = m_proxy->headerData(column, Qt::Horizontal).toString();
    const QString unit = m_proxy->headerData(column, Qt::Horizontal, UnitRole).toString();
    titles << quoted(unit.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit));
  }
  lines << titles.join(QLatin1Char(','));
  eachRow(*m_proxy, {}, [&](const QModelIndex &index) {
    QStringList cells;
    for (int column = 0; column < m_proxy->columnCount(); ++column) {
      cells << quoted(index.siblingAtColumn(column).data(SortRole).toString());
    }
    lines << cells.join(QLatin1Char(','));
  });
  return lines.join(QStringLiteral("\r\n")) + QStringLiteral("\r\n");
}

void ItemView::saveCsv() {
  saveWithDialog(this, tr("Save table"), accessibleName(), {tr("Comma-separated values (*.csv)")},
                 [this](const QString &path) { return writeFile(path, asCsv().toUtf8()); });
}

void ItemView::keyPressEvent(QKeyEvent *event) {
  if (event == QKeySequence::Copy) {
    QApplication::clipboard()->setText(asText(false));
    return;
  }
  QTreeView::keyPressEvent(event);
}

void ItemView::contextMenuEvent(QContextMenuEvent *event) {
  if (model() == nullptr) {
    return;
  }
  QMenu menu(this);
  for (QAction *action : actions()) {
    menu.addAction(action);
  }
  if (!actions().isEmpty()) {
    menu.addSeparator();
  }
  menu.addAction(tr("&Copy Rows"), this, [this] { QApplication::clipboard()->setText(asText(false)); });
  menu.addAction(tr("Copy &Table"), this, [this] { QApplication::clipboard()->setText(asText(true)); });
  menu.addAction(tr("&Save as CSV…"), this, [this] { saveCsv(); });
  menu.exec(event->globalPos());
}

} // namespace jitscope::ui
