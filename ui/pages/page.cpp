// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page.h"

namespace jitscope::ui {

Page::Page(Workspace workspace, const QString &title, QWidget *parent) : QWidget(parent), m_workspace(workspace), m_title(title) {
  setAccessibleName(title);
  connect(&m_workspace.store, &SessionStore::opened, this, &Page::setStale);
  connect(&m_workspace.store, &SessionStore::changed, this, &Page::setStale);
  connect(&m_workspace.filter, &Filter::changed, this, &Page::setStale);
  connect(&m_workspace.store, &SessionStore::closed, this, [this] {
    m_isStale = false;
    clear();
  });
  connect(&m_workspace.theme, &Theme::changed, this, [this] { recolour(); });
}

void Page::setStale() {
  m_isStale = true;
  if (isVisible() && m_workspace.store.isOpen()) {
    m_isStale = false;
    refresh();
  }
}

void Page::showEvent(QShowEvent *event) {
  QWidget::showEvent(event);
  if (m_isStale && m_workspace.store.isOpen()) {
    m_isStale = false;
    refresh();
  }
}

} // namespace jitscope::ui
