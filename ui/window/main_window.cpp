// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compiles/compiles_page.h"
#include "ui/pages/compiles/remarks_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/latency_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/start_page.h"
#include "ui/pages/templates_page.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/script/script_page.h"
#include "ui/widgets/filter_bar.h"
#include "ui/widgets/layout/elided_label.h"
#include "ui/widgets/text.h"
#include "ui/window/message_bar.h"
#include "ui/window/recent_files.h"
#include "ui/window/report_export.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QProgressBar>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace jitscope::ui {

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent), m_list(new QListWidget(this)), m_stack(new QStackedWidget(this)), m_message(new MessageBar(this)),
      m_export(new ReportExport(m_store, this)), m_sessionLabel(new ElidedLabel(this)), m_liveLabel(new QLabel(this)),
      m_busy(new QProgressBar(this)) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowTitle(QStringLiteral("Jitscope"));
  setAcceptDrops(true);
  // On small screens with room for the frame and a panel.
  resize(QSize(1280, 800).boundedTo(screen()->availableSize() - QSize(20, 60)));

  m_list->setObjectName(QStringLiteral("pageList"));
  m_list->setAccessibleName(tr("Pages"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
  m_list->setSpacing(0);
  const auto colourList = [this] {
    // A style sheet keeps the colours that were there when it was set.
    m_list->setStyleSheet({});
    m_list->setStyleSheet(
        QStringLiteral("QListWidget::item { padding: 6px 10px; border: 0px; }"
                       "QListWidget::item:selected { background: palette(highlight); color: palette(highlighted-text); }"));
  };
  colourList();
  connect(&m_theme, &Theme::changed, m_list, colourList);
  m_list->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("Templates")) + 56);
  connect(m_list, &QListWidget::currentRowChanged, m_stack, &QStackedWidget::setCurrentIndex);

  auto *right = new QWidget(this);
  auto *rightLayout = new QVBoxLayout(right);
  rightLayout->setContentsMargins(0, 0, 0, 0);
  rightLayout->setSpacing(0);
  rightLayout->addWidget(m_message);
  rightLayout->addWidget(new FilterBar(m_filter, right));
  rightLayout->addWidget(m_stack, 1);
  auto *central = new QWidget(this);
  auto *layout = new QHBoxLayout(central);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_list);
  layout->addWidget(right, 1);
  setCentralWidget(central);

  m_busy->setRange(0, 0);
  m_busy->setMaximumWidth(120);
  m_busy->setTextVisible(false);
  m_busy->setAccessibleName(tr("Reading the session"));
  m_busy->hide();
  statusBar()->addWidget(m_sessionLabel, 1);
  statusBar()->addPermanentWidget(m_busy);
  statusBar()->addPermanentWidget(m_liveLabel);
  connect(m_export, &ReportExport::began, statusBar(), [this](const QString &message) { statusBar()->showMessage(message); });
  connect(m_export, &ReportExport::ended, this, [this](const QString &message, bool isGood) {
    statusBar()->clearMessage();
    const QWidget *page = m_stack->currentWidget();
    isGood ? m_message->showNews(message, page) : m_message->showMessage(message, page);
  });

  const Workspace workspace{m_store, m_filter, m_focus, m_theme};
  auto *start = new StartPage(workspace, this);
  addPage(start);
  m_script = new ScriptPage(workspace, this);
  addPage(m_script);
  auto *overview = new OverviewPage(workspace, this);
  addPage(overview);
  addPage(new TimelinePage(workspace, this));
  addPage(new LatencyPage(workspace, this));
  addPage(new TemplatesPage(workspace, this));
  addPage(new CompilesPage(workspace, this));
  addPage(new RemarksPage(workspace, this));
  addPage(new DiffPage(workspace, this));
  addPage(new ComparePage(workspace, this));
  connect(m_script, &ScriptPage::problem, this, [this](const QString &message) {
    m_message->showMessage(message, m_script);
    if (m_stack->currentWidget()->objectName() == QLatin1String("overview")) {
      showPage(QStringLiteral("script")); // where the line and the output are
    }
  });
  connect(m_script, &ScriptPage::news, this, [this](const QString &message) { m_message->showNews(message, m_script); });
  connect(m_script, &ScriptPage::progressed, overview, &OverviewPage::setProgress);
  connect(m_script, &ScriptPage::runStarted, m_message, &QWidget::hide);
  connect(m_stack, &QStackedWidget::currentChanged, this, [this] { m_message->showPage(m_stack->currentWidget()); });
  connect(m_script, &ScriptPage::scriptOpened, this, &addRecentFile);
  connect(m_script, &ScriptPage::leaveWanted, m_list, [this] { m_list->setFocus(Qt::ShortcutFocusReason); });
  connect(start, &StartPage::openWanted, this, &MainWindow::openPath);
  connect(start, &StartPage::dialogWanted, this, &MainWindow::openWithDialog);

  addFileMenu();
  addRunMenu();
  addViewMenu();
  addHelpMenu();

  connect(&m_store, &SessionStore::entering, this, [this] {
    m_filter.clear();
    // Another session gives other things the same numbers.
    m_focus.clear();
  });
  connect(&m_store, &SessionStore::opened, this, [this] {
    addRecentFile(m_store.path());
    // The session of a run may be opened after the run has ended, and what went wrong in it is still to be read.
    m_message->hideUnlessAbout(m_script);
    // A run and an opened session land on the overview. Pages that already show a session show the new one, and a script that
    // failed stays where its error is.
    const QString shown = m_stack->currentWidget()->objectName();
    if (shown == QLatin1String("start") || (shown == QLatin1String("script") && !m_message->isVisible())) {
      showPage(QStringLiteral("overview"));
    }
  });
  connect(&m_store, &SessionStore::openFailed, this, [this](const QString &, const QString &message) {
    m_message->showMessage(message, m_stack->currentWidget());
    updateStatus();
  });
  connect(&m_store, &SessionStore::queryFailed, this, [this](const QString &message) { m_message->showMessage(message); });
  for (const auto signal : {&SessionStore::opened, &SessionStore::changed, &SessionStore::closed}) {
    connect(&m_store, signal, this, &MainWindow::updateStatus);
  }
  connect(&m_store, &SessionStore::opening, this, [this] {
    if (!m_script->isOpeningRun()) {
      m_message->hide();
    }
    updateStatus();
  });
  m_busyTimer.setSingleShot(true);
  m_busyTimer.setInterval(300);
  connect(&m_busyTimer, &QTimer::timeout, m_busy, &QWidget::show);
  connect(&m_store, &SessionStore::pendingChanged, this, [this](int pending) {
    if (pending == 0) {
      m_busyTimer.stop();
      m_busy->hide();
    } else if (!m_busyTimer.isActive() && !m_busy->isVisible()) {
      m_busyTimer.start();
    }
  });

  QSettings settings;
  restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
  m_theme.choose(static_cast<Theme::Choice>(settings.value(QStringLiteral("window/theme"), 0).toInt()));
  m_list->setCurrentRow(0);
  updateStatus();
}

MainWindow::~MainWindow() = default;

void MainWindow::addPage(Page *page) {
  m_pages.push_back(page);
  m_stack->addWidget(page);
  auto *item = new QListWidgetItem(page->title(), m_list);
  item->setToolTip(tr("%1 (Ctrl+%2)").arg(page->hint()).arg(m_pages.size() % 10));
  item->setSizeHint(QSize(0, fontMetrics().height() + 14));
  connect(page, &Page::pageWanted, this, [this](const QString &name) {
    showPage(name);
    if (Page *wanted = this->page(name)) {
      wanted->showChosen();
    }
  });
  connect(page, &Page::lineWanted, this, [this](int line) {
    showPage(QStringLiteral("script"));
    m_script->goToLine(line);
  });
}

Page *MainWindow::page(const QString &name) const {
  for (Page *page : m_pages) {
    if (page->objectName() == name) {
      return page;
    }
  }
  return nullptr;
}

void MainWindow::showPage(const QString &name) {
  for (std::size_t i = 0; i < m_pages.size(); ++i) {
    if (m_pages[i]->objectName() == name) {
      m_list->setCurrentRow(static_cast<int>(i));
      m_pages[i]->setFocus();
    }
  }
}

void MainWindow::openPath(const QString &path) {
  if (isScript(path)) {
    if (m_script->openScript(path)) {
      m_message->hide();
      showPage(QStringLiteral("script"));
    }
    return;
  }
  m_store.open(QFileInfo(path).absoluteFilePath());
}

void MainWindow::updateStatus() {
  if (m_store.isOpening()) {
    m_sessionLabel->setText(tr("Opening %1…").arg(m_store.openingPath()));
    return;
  }
  if (!m_store.isOpen()) {
    m_sessionLabel->setText(tr("No session is open. Ctrl+O opens one."));
    m_liveLabel->clear();
    setWindowTitle(QStringLiteral("Jitscope"));
    return;
  }
  const session::SessionRow &row = m_store.row();
  m_sessionLabel->setText(tr("%1  ·  %2  ·  %3  ·  %4")
                              .arg(m_store.path(), durationText(static_cast<double>(row.durationNs)), lineText(row.info.cpu, 60),
                                   lineText(row.info.startedUtc, 30)));
  m_liveLabel->setText(m_store.isRecording() ? QStringLiteral("● ") + statusText(row.status) : statusText(row.status));
  m_liveLabel->setToolTip(toText(row.error));
  setWindowTitle(tr("%1 – Jitscope").arg(QFileInfo(m_store.path()).fileName()));
}

void MainWindow::closeEvent(QCloseEvent *event) {
  if (!m_script->mayClose()) {
    event->ignore();
    return;
  }
  QSettings().setValue(QStringLiteral("window/geometry"), saveGeometry());
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
  if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile()) {
    event->acceptProposedAction();
  }
}

void MainWindow::dropEvent(QDropEvent *event) {
  event->acceptProposedAction();
  openPath(event->mimeData()->urls().first().toLocalFile());
}

} // namespace jitscope::ui
