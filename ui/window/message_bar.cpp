// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

namespace jitscope::ui {

MessageBar::MessageBar(QWidget *parent) : QFrame(parent), m_label(new QLabel(this)) {
  setObjectName(QStringLiteral("messageBar"));
  setFrameShape(StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  auto *icon = new QLabel(this);
  icon->setPixmap(style()->standardIcon(QStyle::SP_MessageBoxWarning).pixmap(20, 20));
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_label->setTextFormat(Qt::PlainText);
  m_label->setWordWrap(true);
  auto *close = new QToolButton(this);
  close->setText(QStringLiteral("✕"));
  close->setAutoRaise(true);
  close->setAccessibleName(tr("Close message"));
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->addWidget(icon, 0, Qt::AlignTop);
  layout->addWidget(m_label, 1);
  layout->addWidget(close, 0, Qt::AlignTop);
  hide();
}

void MessageBar::showMessage(const QString &text) {
  m_label->setText(text);
  setAccessibleName(text);
  show();
}

QString MessageBar::text() const { return m_label->text(); }

} // namespace jitscope::ui
