// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tables/search_field.h"

#include <QKeyEvent>

namespace jitscope::ui {

SearchField::SearchField(const QString &placeholder, QWidget *parent) : QLineEdit(parent) {
  setPlaceholderText(placeholder);
  setAccessibleName(placeholder);
  setClearButtonEnabled(true);
}

bool SearchField::event(QEvent *event) {
  const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (!isKey || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape || text().isEmpty()) {
    return QLineEdit::event(event);
  }
  event->accept();
  if (event->type() == QEvent::KeyPress) {
    clear();
  }
  return true;
}

} // namespace jitscope::ui
