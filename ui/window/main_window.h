// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <QMainWindow>

#include <vector>

class QLabel;
class QListWidget;
class QMenu;
class QProgressBar;
class QStackedWidget;

namespace jitscope::ui {

class ElidedLabel;
class MessageBar;
class ReportExport;
class ScriptPage;

/// The window: a list of pages, the page, the filter above it.
class MainWindow : public QMainWindow {
  Q_OBJECT

public:
  explicit MainWindow(QWidget *parent = nullptr);
  ~MainWindow() override;

  /// Opens a session, or a script in the script page, by what it is.
  void openPath(const QString &path);
  [[nodiscard]] SessionStore &store() { return m_store; }
  [[nodiscard]] Filter &filter() { return m_filter; }
  [[nodiscard]] Focus &focus() { return m_focus; }
  [[nodiscard]] Theme &theme() { return m_theme; }
  [[nodiscard]] ReportExport &reportExport() { return *m_export; }

  /// The pages in the order of the list.
  [[nodiscard]] const std::vector<Page *> &pages() const { return m_pages; }
  /// A page by its `objectName`; null for none.
  [[nodiscard]] Page *page(const QString &name) const;
  void showPage(const QString &name);

protected:
  void closeEvent(QCloseEvent *event) override;
  void dragEnterEvent(QDragEnterEvent *event) override;
  void dropEvent(QDropEvent *event) override;

private:
  void addPage(Page *page);
  void addFileMenu();
  void addRunMenu();
  void addViewMenu();
  void addOutcomeMenu(QMenu &view);
  void addHelpMenu();
  void fillRecentMenu();
  void openWithDialog();
  void exportReport();
  void saveSessionAs();
  void showShortcuts();
  void showAbout();
  void updateStatus();

  Theme m_theme;
  SessionStore m_store;
  Filter m_filter;
  Focus m_focus;
  std::vector<Page *> m_pages;
  ScriptPage *m_script = nullptr;
  QListWidget *m_list;
  QStackedWidget *m_stack;
  MessageBar *m_message;
  ReportExport *m_export;
  QMenu *m_recentMenu = nullptr;
  ElidedLabel *m_sessionLabel;
  QLabel *m_liveLabel;
  QProgressBar *m_busy;
  QTimer m_busyTimer;
};

} // namespace jitscope::ui
