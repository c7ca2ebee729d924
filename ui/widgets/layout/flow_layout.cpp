// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/flow_layout.h"

#include <QWidget>

#include <algorithm>

namespace jitscope::ui {

FlowLayout::FlowLayout(QWidget *parent) : QLayout(parent) { setSpacing(6); }

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

void FlowLayout::addItem(QLayoutItem *item) {
  m_items.append(item);
  invalidate();
}

QLayoutItem *FlowLayout::takeAt(int index) {
  invalidate();
  return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QSize FlowLayout::minimumSize() const {
  QSize widest;
  for (const QLayoutItem *item : m_items) {
    widest = item->isEmpty() ? widest : widest.expandedTo(item->minimumSize());
  }
  return widest.grownBy(contentsMargins());
}

QSize FlowLayout::sizeHint() const {
  QSize line;
  for (const QLayoutItem *item : m_items) {
    if (!item->isEmpty()) {
      const QSize hint = item->sizeHint();
      line = {line.width() + (line.width() > 0 ? spacing() : 0) + hint.width(), std::max(line.height(), hint.height())};
    }
  }
  return line.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect &area) {
  QLayout::setGeometry(area);
  (void)arrange(area, true);
}

int FlowLayout::arrange(const QRect &area, bool places) const {
  const QMargins margins = contentsMargins();
  const QRect inner = area.marginsRemoved(margins);
  QList<QLayoutItem *> line;
  int top = inner.top();
  int width = 0;
  int height = 0;
  const auto endLine = [&] {
    if (places) {
      placeLine(line, {inner.left(), top, inner.width(), height});
    }
    line.clear();
    width = 0;
  };
  for (QLayoutItem *item : m_items) {
    if (item->isEmpty()) {
      continue;
    }
    const QSize hint = item->sizeHint().expandedTo(item->minimumSize());
    if (!line.isEmpty() && width + spacing() + hint.width() > inner.width()) {
      endLine();
      top += height + spacing();
      height = 0;
    }
    width += (line.isEmpty() ? 0 : spacing()) + hint.width();
    height = std::max(height, hint.height());
    line.append(item);
  }
  endLine();
  return top + height - inner.top() + margins.top() + margins.bottom();
}

void FlowLayout::placeLine(const QList<QLayoutItem *> &line, const QRect &area) const {
  int rest = area.width() - spacing() * std::max(static_cast<int>(line.size()) - 1, 0);
  int growing = 0;
  for (const QLayoutItem *item : line) {
    rest -= item->sizeHint().expandedTo(item->minimumSize()).width();
    growing += (item->expandingDirections() & Qt::Horizontal) != 0 ? 1 : 0;
  }
  int left = area.left();
  for (QLayoutItem *item : line) {
    QSize size = item->sizeHint().expandedTo(item->minimumSize());
    const bool grows = (item->expandingDirections() & Qt::Horizontal) != 0;
    size.setWidth(std::min(size.width() + (grows && rest > 0 ? rest / growing : 0), area.width()));
    item->setGeometry({QPoint(left, area.top() + (area.height() - size.height()) / 2), size});
    left += size.width() + spacing();
  }
}

} // namespace jitscope::ui
