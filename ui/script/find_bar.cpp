// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/find_bar.h"

#include "ui/script/script_editor.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>

namespace jitscope::ui {

FindBar::FindBar(ScriptEditor &editor, QWidget *parent) : QWidget(parent), m_editor(editor), m_text(new QLineEdit(this)) {
  setObjectName(QStringLiteral("findBar"));
  m_text->setPlaceholderText(tr("Find"));
  m_text->setAccessibleName(tr("Find"));
  m_text->setClearButtonEnabled(true);
  m_text->installEventFilter(this);
  auto *row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 4);
  row->addWidget(m_text);
  hide();
  connect(m_text, &QLineEdit::returnPressed, this, [this] { find(true); });
}

void FindBar::open() {
  show();
  if (m_editor.hasSelectedText()) {
    m_text->setText(m_editor.selectedText());
  }
  m_text->selectAll();
  m_text->setFocus();
}

void FindBar::find(bool forward) {
  int line = -1;
  int column = -1;
  if (!forward) {
    // Backwards from before the present match.
    m_editor.getSelection(&line, &column, nullptr, nullptr);
  }
  const bool isEmpty = m_text->text().isEmpty();
  const bool found = !isEmpty && m_editor.findFirst(m_text->text(), false, false, false, true, forward, line, column);
  m_text->setStyleSheet(found || isEmpty ? QString() : QStringLiteral("color: %1").arg(m_alarm.name()));
}

bool FindBar::eventFilter(QObject *object, QEvent *event) {
  const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (!isKey || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape) {
    return QWidget::eventFilter(object, event);
  }
  // Taken before the window's own Escape, which removes the filter.
  event->accept();
  if (event->type() == QEvent::KeyPress) {
    hide();
    m_editor.setFocus();
  }
  return true;
}

} // namespace jitscope::ui
