// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/message_bar.h"

#include "ui/widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

namespace jitscope::ui {

MessageBar::MessageBar(QWidget *parent) : QFrame(parent), m_icon(new QLabel(this)), m_label(new QLabel(this)) {
  setObjectName(QStringLiteral("messageBar"));
  setFrameShape(StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_label->setTextFormat(Qt::PlainText);
  m_label->setWordWrap(true);
  m_label->setMinimumWidth(1); // the longest word, which may be a path, would be the least otherwise
  auto *close = new QToolButton(this);
  close->setText(QStringLiteral("✕"));
  close->setAutoRaise(true);
  close->setAccessibleName(tr("Close message"));
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->addWidget(m_icon, 0, Qt::AlignTop);
  layout->addWidget(m_label, 1);
  layout->addWidget(close, 0, Qt::AlignTop);
  hide();
}

void MessageBar::showMessage(const QString &text, const QWidget *page) { show(text, page, QStyle::SP_MessageBoxWarning); }

void MessageBar::showNews(const QString &text, const QWidget *page) { show(text, page, QStyle::SP_MessageBoxInformation); }

void MessageBar::showPage(const QWidget *page) {
  if (m_page != nullptr && m_page != page) {
    hide();
  }
}

void MessageBar::hideUnlessAbout(const QWidget *page) {
  if (m_page != page) {
    hide();
  }
}

void MessageBar::show(const QString &text, const QWidget *page, int icon) {
  m_page = page;
  constexpr int kIconSize = 20;
  m_icon->setPixmap(style()->standardIcon(static_cast<QStyle::StandardPixmap>(icon)).pixmap(kIconSize, kIconSize));
  m_label->setText(sentenceText(text));
  setAccessibleName(m_label->text());
  QFrame::show();
}

QString MessageBar::text() const { return m_label->text(); }

} // namespace jitscope::ui
