// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/session_overview.h"
#include "event/compile_cost.h"
#include "ui/script/script_page.h"
#include "ui/widgets/save_file.h"
#include "ui/widgets/text.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/recent_files.h"
#include "ui/window/report_export.h"

#include <QActionGroup>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace jitscope::ui {

void MainWindow::addFileMenu() {
  QMenu *menu = menuBar()->addMenu(tr("&File"));
  // Those of standard keys that not every desktop has are given, since the list of keys names them.
  menu->addAction(tr("&New Script"), QKeySequence::New, this, [this] {
    if (m_script->newScript()) {
      showPage(QStringLiteral("script"));
    }
  });
  menu->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::openWithDialog);
  m_recentMenu = menu->addMenu(tr("Open &Recent"));
  m_recentMenu->setObjectName(QStringLiteral("recentMenu"));
  connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
  QAction *reload = menu->addAction(tr("Re&load"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), this, [this] {
    if (QFileInfo::exists(m_store.path())) {
      m_store.open(m_store.path());
    } else {
      m_message->showMessage(tr("There is no file to read again. The window shows what it read before."), m_stack->currentWidget());
    }
  });
  menu->addSeparator();
  menu->addAction(tr("Save Script &Under Another Name…"), this, [this] {
    showPage(QStringLiteral("script"));
    m_script->saveAs();
  });
  QAction *save =
      menu->addAction(tr("Save Session &As…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this, &MainWindow::saveSessionAs);
  QAction *report = menu->addAction(tr("&Export Report…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, &MainWindow::exportReport);
  QAction *close = menu->addAction(tr("&Close Session"), QKeySequence(Qt::CTRL | Qt::Key_W), this, [this] {
    m_store.close();
    m_filter.clear();
    showPage(QStringLiteral("start"));
  });
  menu->addSeparator();
  menu->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
  // Not only when the menu is shown: what is disabled has no shortcut either.
  const auto setEnabled = [this, reload, save, report, close] {
    for (QAction *action : {reload, save, report, close}) {
      action->setEnabled(m_store.isOpen());
    }
  };
  for (const auto signal : {&SessionStore::opened, &SessionStore::closed}) {
    connect(&m_store, signal, menu, setEnabled);
  }
  setEnabled();
}

void MainWindow::fillRecentMenu() {
  m_recentMenu->clear();
  const RecentFiles recent = recentFiles();
  for (const auto &[title, paths] : {std::pair(tr("Sessions"), recent.sessions), std::pair(tr("Scripts"), recent.scripts)}) {
    if (!paths.isEmpty()) {
      m_recentMenu->addSection(title);
    }
    for (const QString &path : paths) {
      m_recentMenu->addAction(QFileInfo(path).fileName(), this, [this, path] { openPath(path); })->setToolTip(path);
    }
  }
  m_recentMenu->setToolTipsVisible(true);
  if (m_recentMenu->isEmpty()) {
    m_recentMenu->addAction(tr("Nothing was opened yet"))->setEnabled(false);
    return;
  }
  m_recentMenu->addSeparator();
  m_recentMenu->addAction(tr("&Clear"), this, &clearRecentFiles);
}

void MainWindow::openWithDialog() {
  QSettings settings;
  const QString key = QStringLiteral("files/openFolder");
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open a session or a script"), settings.value(key).toString(),
      tr("Sessions and scripts (*.jitscope *.lua);;Sessions (*.jitscope);;Graph scripts (*.lua);;All files (*)"));
  if (!path.isEmpty()) {
    settings.setValue(key, QFileInfo(path).absolutePath());
    openPath(path);
  }
}

void MainWindow::saveSessionAs() {
  if (!m_store.isOpen()) {
    return;
  }
  if (m_store.isRecording()) {
    m_message->showMessage(tr("The session is still being recorded. It can be saved under another name once it has ended."),
                           m_stack->currentWidget());
    return;
  }
  saveWithDialog(this, tr("Save session"), QFileInfo(m_store.path()).fileName(), {tr("Sessions (*.jitscope)")},
                 [this](const QString &path) -> base::Result<void> {
                   if (QFileInfo(path) == QFileInfo(m_store.path())) {
                     return {};
                   }
                   // The dialog has asked whether to replace it.
                   if (base::Result<void> copied = copySession(m_store.path(), path); !copied) {
                     return copied;
                   }
                   addRecentFile(path);
                   return {};
                 });
}

void MainWindow::exportReport() {
  if (!m_store.isOpen()) {
    return;
  }
  const QString name = QFileInfo(m_store.path()).completeBaseName();
  saveWithDialog(this, tr("Export report"), name, ReportExport::fileFilters(),
                 [this](const QString &path) { return m_export->write(path, m_filter.selection()); });
}

void MainWindow::addRunMenu() {
  QMenu *menu = menuBar()->addMenu(tr("&Run"));
  // Its page may be hidden, and F5 must work all the same.
  menu->addAction(m_script->runAction());
  menu->addAction(m_script->stopAction());
  connect(m_script->runAction(), &QAction::triggered, this, [this] {
    // Where the page is seen already, the focus stays where it is in it.
    if (m_stack->currentWidget() != m_script) {
      showPage(QStringLiteral("script"));
    }
  });
}

void MainWindow::addViewMenu() {
  QMenu *menu = menuBar()->addMenu(tr("&View"));
  for (std::size_t i = 0; i < m_pages.size(); ++i) {
    QAction *action = menu->addAction(m_pages[i]->title(), this, [this, i] { showPage(m_pages[i]->objectName()); });
    if (i < 9) {
      action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i))));
    } else if (i == 9) {
      action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_0));
    }
  }
  menu->addSeparator();
  addOutcomeMenu(*menu);
  menu->addAction(tr("Show &All (remove the filter)"), QKeySequence(Qt::Key_Escape), &m_filter, &Filter::clear);
  menu->addSeparator();
  auto *group = new QActionGroup(this);
  const std::array<std::pair<QString, Theme::Choice>, 3> choices{{{tr("Colours of the &System"), Theme::Choice::System},
                                                                  {tr("&Light"), Theme::Choice::Light},
                                                                  {tr("&Dark"), Theme::Choice::Dark}}};
  for (const auto &[text, choice] : choices) {
    QAction *action = menu->addAction(text, this, [this, chosen = choice] {
      m_theme.choose(chosen);
      QSettings().setValue(QStringLiteral("window/theme"), static_cast<int>(chosen));
    });
    action->setCheckable(true);
    action->setActionGroup(group);
    connect(menu, &QMenu::aboutToShow, action, [this, action, own = choice] { action->setChecked(m_theme.choice() == own); });
  }
}

void MainWindow::addOutcomeMenu(QMenu &view) {
  QMenu *menu = view.addMenu(tr("&Only Calls That Were"));
  menu->setObjectName(QStringLiteral("outcomeMenu"));
  for (const event::Outcome outcome : event::kOutcomes) {
    menu->addAction(toText(nameOf(outcome)), this, [this, outcome] { m_filter.setOutcome(outcome); })
        ->setData(static_cast<int>(outcome));
  }
  // Until it is known how many there are, every outcome may be.
  const auto setCounts = [menu](const analysis::OutcomeCounts *counts) {
    for (QAction *action : menu->actions()) {
      const auto outcome = static_cast<event::Outcome>(action->data().toInt());
      const QString name = toText(nameOf(outcome));
      action->setText(counts != nullptr ? QStringLiteral("%1\t%2").arg(name, countText((*counts)[outcome])) : name);
      action->setEnabled(counts == nullptr || (*counts)[outcome] > 0);
    }
  };
  connect(&m_store, &SessionStore::entering, menu, [setCounts] { setCounts(nullptr); });
  connect(&view, &QMenu::aboutToShow, menu, [this, menu, setCounts] {
    menu->setEnabled(m_store.isOpen());
    if (m_store.isOpen()) {
      m_store.ask(
          SessionStore::Lane::Quick, QStringLiteral("outcome-menu"), menu,
          [](session::SessionReader &reader) { return analysis::readSessionOverview(reader.database()); },
          [setCounts](const analysis::SessionOverview &overview) { setCounts(&overview.outcomes); });
    }
  });
}

void MainWindow::addHelpMenu() {
  QMenu *menu = menuBar()->addMenu(tr("&Help"));
  QAction *shortcuts = menu->addAction(tr("&Keys"), this, &MainWindow::showShortcuts);
  shortcuts->setShortcuts({QKeySequence(Qt::Key_Question), QKeySequence(Qt::SHIFT | Qt::Key_Question), QKeySequence(Qt::Key_F1)});
  menu->addAction(tr("&About Jitscope"), this, &MainWindow::showAbout);
}

void MainWindow::showShortcuts() {
  const std::vector<std::pair<QString, QString>> keys{
      {tr("Ctrl+N"), tr("begin a new script")},
      {tr("Ctrl+O"), tr("open a session or a script")},
      {tr("Ctrl+1 … Ctrl+9, Ctrl+0"), tr("go to a page")},
      {tr("Esc"), tr("remove the filter")},
      {tr("Esc in the compiles"), tr("from the passes of one compile back to those of all")},
      {tr("F5, Shift+F5"), tr("run the script, stop it; Enter in its options runs it, too")},
      {tr("Ctrl+S"), tr("save the script")},
      {tr("Ctrl+F, F3, Shift+F3"), tr("find in the script, the next, the one before")},
      {tr("Esc in the script"), tr("leave the editor, where Tab indents, for the list of pages")},
      {tr("Shift+Tab in the script"), tr("leave the editor for its options; outdent where several lines are selected")},
      {tr("Ctrl+E"), tr("export the report")},
      {tr("Ctrl+Shift+R"), tr("read the session's file again")},
      {tr("Ctrl+Shift+S"), tr("save the session under another name")},
      {tr("Ctrl+W, Ctrl+Q"), tr("close the session, quit")},
      {tr("W, S, +, -, ↑, ↓, wheel"), tr("timeline: zoom in and out")},
      {tr("A, D, ←, →, Shift+wheel"), tr("timeline: earlier and later")},
      {tr("Home, F"), tr("timeline: everything, the filtered range")},
      {tr("Comma, full stop"), tr("timeline: the call before and after")},
      {tr("Drag, Shift+drag"), tr("timeline: select a range, move")},
      {tr("F7, F8"), tr("IR: the change before and after")},
      {tr("Alt+↑, Alt+↓"), tr("IR: the pass before and after")},
      {tr("Ctrl+C"), tr("copy the selected rows of a table")},
      {tr("F1, ?"), tr("this list (F1 in the script's editor)")},
  };
  QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"4\">");
  for (const auto &[key, what] : keys) {
    html += QStringLiteral("<tr><td style=\"padding-right:18px\"><b>%1</b></td><td>%2</td></tr>")
                .arg(key.toHtmlEscaped(), what.toHtmlEscaped());
  }
  QDialog dialog(this);
  dialog.setObjectName(QStringLiteral("shortcuts"));
  dialog.setWindowTitle(tr("Keys"));
  auto *label = new QLabel(html + QStringLiteral("</table>"), &dialog);
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
  connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  auto *layout = new QVBoxLayout(&dialog);
  layout->addWidget(label);
  layout->addWidget(buttons);
  dialog.exec();
}

void MainWindow::showAbout() {
  QMessageBox::about(this, tr("About Jitscope"),
                     tr("<h3>Jitscope %1</h3><p>A profiler for compile caches: which calls hit, which missed, why, and what the "
                        "optimizer made of the same functions under different pipelines.</p><p>GPL-3.0-or-later</p>")
                         .arg(QStringLiteral(JITSCOPE_VERSION)));
}

} // namespace jitscope::ui
