// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tables/kept_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QSettings>
#include <QStringList>
#include <QTreeView>
#include <QVariantMap>

#include <algorithm>
#include <utility>

namespace jitscope::ui {

namespace {

/// Rows that are measured beyond those in sight: more take long and hardly ever say more.
constexpr int kMeasuredRows = 200;
/// Of the last column, which has the long texts.
constexpr int kMaxOfLast = 600;
/// What of the last column may end in dots before the view scrolls for it; a tool tip has the whole.
constexpr double kMaxElided = 0.25;

} // namespace

KeptColumns::KeptColumns(QTreeView &view, QString name)
    : QObject(&view), m_view(view), m_viewport(view.viewport()), m_name(std::move(name)) {
  m_view.header()->viewport()->installEventFilter(this);
  m_view.viewport()->installEventFilter(this);
  m_view.header()->setResizeContentsPrecision(kMeasuredRows);
}

QString KeptColumns::key(const char *what) const { return QStringLiteral("tables/%1/%2").arg(m_name, QLatin1String(what)); }

QString KeptColumns::titleOf(int column) const { return m_view.model()->headerData(column, Qt::Horizontal).toString(); }

int KeptColumns::columnOf(const QString &title) const {
  for (int column = 0; column < m_view.header()->count(); ++column) {
    if (titleOf(column) == title) {
      return column;
    }
  }
  return -1;
}

void KeptColumns::restore() {
  QHeaderView *header = m_view.header();
  const QSettings settings;
  const QVariantMap widths = settings.value(key("widths")).toMap();
  for (auto entry = widths.begin(); entry != widths.end(); ++entry) {
    if (const int column = columnOf(entry.key()); column >= 0 && entry->toInt() > 0) {
      m_chosen[column] = entry->toInt();
      header->resizeSection(column, entry->toInt());
    }
  }
  const QStringList order = settings.value(key("order")).toStringList();
  for (int place = 0; place < order.size(); ++place) {
    if (const int column = columnOf(order[place]); column >= 0) {
      header->moveSection(header->visualIndex(column), std::min(place, header->count() - 1));
    }
  }
  if (const int column = columnOf(settings.value(key("sort")).toString()); column >= 0) {
    m_view.sortByColumn(column, settings.value(key("descending")).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
  }

  connect(header, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
    if (m_isHeld && !stretches(column)) {
      m_chosen[column] = width;
    }
  });
  connect(header, &QHeaderView::sectionHandleDoubleClicked, this, [this](int column) {
    m_chosen.remove(column);
    keepWidths();
  });
  connect(header, &QHeaderView::sectionMoved, this, &KeptColumns::keepOrder);
  connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder sorted) {
    QSettings().setValue(key("sort"), titleOf(column));
    QSettings().setValue(key("descending"), sorted == Qt::DescendingOrder);
  });
}

void KeptColumns::keepWidths() const {
  QVariantMap widths;
  for (auto entry = m_chosen.begin(); entry != m_chosen.end(); ++entry) {
    widths[titleOf(entry.key())] = entry.value();
  }
  QSettings().setValue(key("widths"), widths);
}

void KeptColumns::keepOrder() const {
  QStringList order;
  for (int place = 0; place < m_view.header()->count(); ++place) {
    order << titleOf(m_view.header()->logicalIndex(place));
  }
  QSettings().setValue(key("order"), order);
}

bool KeptColumns::stretches(int column) const {
  return m_view.header()->stretchLastSection() && m_view.header()->visualIndex(column) == m_view.header()->count() - 1;
}

int KeptColumns::neededWidth(int column) const {
  // Of a tree view it can be asked only as an item view.
  const auto &view = static_cast<const QAbstractItemView &>(m_view);
  const int needed = std::max(view.sizeHintForColumn(column), m_view.header()->sectionSizeHint(column));
  return m_most.contains(column) ? std::min(needed, m_most[column]) : needed;
}

void KeptColumns::fit() {
  for (int column = 0; column < m_view.header()->count(); ++column) {
    if (!m_chosen.contains(column) && !stretches(column)) {
      const int least = m_isFitted ? m_view.header()->sectionSize(column) : 0;
      m_view.header()->resizeSection(column, std::max(neededWidth(column), least));
    }
  }
  m_isFitted = true;
  fitLast();
}

void KeptColumns::fitLast() {
  QHeaderView *header = m_view.header();
  const int last = header->logicalIndex(header->count() - 1);
  const int alignment = m_view.model()->headerData(last, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
  int others = 0;
  for (int column = 0; column < header->count(); ++column) {
    others += column == last ? 0 : header->sectionSize(column);
  }
  const int needed = m_chosen.value(last, std::min(neededWidth(last), kMaxOfLast));
  // Numbers stay beside their column.
  const bool isText = (alignment & Qt::AlignRight) == 0;
  const bool stretched = header->stretchLastSection();
  const double least = m_chosen.contains(last) ? needed : needed * (1 - kMaxElided);
  header->setStretchLastSection(isText && others + least <= m_view.viewport()->width());
  if (!header->stretchLastSection() && (isText || stretched)) {
    header->resizeSection(last, needed);
  }
}

bool KeptColumns::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_viewport) {
    if (event->type() == QEvent::Resize && m_isFitted) {
      fitLast();
    }
    return QObject::eventFilter(watched, event);
  }
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
    m_isHeld = true;
  } else if (event->type() == QEvent::MouseButtonRelease && m_isHeld) {
    m_isHeld = false;
    keepWidths();
  }
  return QObject::eventFilter(watched, event);
}

} // namespace jitscope::ui
