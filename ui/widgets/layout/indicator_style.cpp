// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/indicator_style.h"

#include <QAbstractScrollArea>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace jitscope::ui {

namespace {

constexpr int kFocusWidth = 2;

void drawFocus(const QRect &rect, const QPalette &palette, QPainter *painter) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing, false);
  painter->setBrush(Qt::NoBrush);
  QPen pen(palette.color(QPalette::Active, QPalette::Link), kFocusWidth);
  pen.setJoinStyle(Qt::MiterJoin);
  painter->setPen(pen);
  // A pen two wide lies to both sides of its line.
  painter->drawRect(rect.adjusted(1, 1, -1, -1));
  painter->restore();
}

} // namespace

IndicatorStyle::IndicatorStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int IndicatorStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const {
  // What scrolls paints up to its frame, which must have room for that of the focus.
  const bool scrolls = metric == PM_DefaultFrameWidth && qobject_cast<const QAbstractScrollArea *>(widget) != nullptr;
  return scrolls ? kFocusWidth : QProxyStyle::pixelMetric(metric, option, widget);
}

void IndicatorStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                   const QWidget *widget) const {
  if (element == PE_FrameFocusRect) {
    drawFocus(option->rect, option->palette, painter);
    return;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  const bool isBox = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
  const bool isCircle = element == PE_IndicatorRadioButton;
  const bool isField = element == PE_FrameLineEdit;
  const bool isView = element == PE_Frame && qobject_cast<const QAbstractScrollArea *>(widget) != nullptr;
  if ((isField || isView) && (option->state & State_HasFocus) != 0) {
    drawFocus(option->rect, option->palette, painter);
    return;
  }
  if (!isBox && !isCircle && !isField) {
    return;
  }
  const bool isEnabled = (option->state & State_Enabled) != 0;
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
