// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/elided_combo_box.h"

#include <QAbstractItemView>
#include <QScreen>
#include <QStyleOptionComboBox>
#include <QStylePainter>

#include <algorithm>

namespace jitscope::ui {

QString ElidedComboBox::shownText() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  return fontMetrics().elidedText(currentText(), Qt::ElideMiddle, room.width() - 4);
}

void ElidedComboBox::showPopup() {
  constexpr int kFrameAndScrollBar = 32;
  view()->setMinimumWidth(std::min(view()->sizeHintForColumn(0) + kFrameAndScrollBar, screen()->availableSize().width()));
  QComboBox::showPopup();
}

void ElidedComboBox::paintEvent(QPaintEvent * /*event*/) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  option.currentText = shownText();
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace jitscope::ui
