// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/indicator_style.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace jitscope::ui {

IndicatorStyle::IndicatorStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void IndicatorStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                   const QWidget *widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  const bool isBox = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
  const bool isCircle = element == PE_IndicatorRadioButton;
  const bool isField = element == PE_FrameLineEdit;
  if (!isBox && !isCircle && !isField) {
    return;
  }
  const bool isEnabled = (option->state & State_Enabled) != 0;
  if (isField && (option->state & State_HasFocus) != 0) {
    return; // it is outlined with the highlight's colour
  }
  painter->save();
  painter->setBrush(Qt::NoBrush);
  painter->setPen(isEnabled ? option->palette.color(QPalette::Active, QPalette::PlaceholderText)
                            : option->palette.color(QPalette::Disabled, QPalette::WindowText));
  painter->translate(0.5, 0.5);
  if (isCircle) {
    painter->setRenderHint(QPainter::Antialiasing);
    painter->drawEllipse(option->rect.adjusted(0, 0, -1, -1));
  } else if (isField) {
    painter->setRenderHint(QPainter::Antialiasing);
    painter->drawRoundedRect(option->rect.adjusted(0, 0, -1, -1), 2, 2);
  } else {
    painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
  }
  painter->restore();
}

} // namespace jitscope::ui
