// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/store/filter.h"
#include "ui/store/session_store.h"
#include "ui/widgets/layout/theme.h"

#include <QWidget>

namespace jitscope::ui {

/// What all pages share. The objects outlive them.
struct Workspace {
  SessionStore &store;
  Filter &filter;
  Focus &focus;
  Theme &theme;
};

/// A view of the session. When the session or the filter changes, it reads again as soon as it is visible.
class Page : public QWidget {
  Q_OBJECT

public:
  Page(Workspace workspace, const QString &title, QWidget *parent);

  [[nodiscard]] const QString &title() const { return m_title; }
  /// What the page is for, in a sentence.
  [[nodiscard]] virtual QString hint() const = 0;
  /// Another page led here for more of what is chosen: brings that forward.
  virtual void showChosen() {}

Q_SIGNALS:
  /// Another page shows more of what was chosen here; `name` is its `objectName`.
  void pageWanted(const QString &name);
  /// The script's line belongs to what was chosen here.
  void lineWanted(int line);

protected:
  [[nodiscard]] const Workspace &workspace() const { return m_workspace; }
  [[nodiscard]] SessionStore &store() const { return m_workspace.store; }
  [[nodiscard]] Filter &filter() const { return m_workspace.filter; }
  [[nodiscard]] Focus &focus() const { return m_workspace.focus; }
  [[nodiscard]] const charts::Palette &palette() const { return m_workspace.theme.palette(); }

  /// Asks the session for what the page shows. Called while a session is open.
  virtual void refresh() = 0;
  /// Shows nothing: there is no session any more.
  virtual void clear() = 0;
  /// Colours changed; reads again unless a page overrides this.
  virtual void recolour() { setStale(); }

  /// What is shown is no longer what the session says.
  void setStale();
  void showEvent(QShowEvent *event) override;

private:
  Workspace m_workspace;
  QString m_title;
  bool m_isStale = false;
};

} // namespace jitscope::ui
