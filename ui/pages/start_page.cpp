// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/start_page.h"

#include "ui/widgets/examples.h"
#include "ui/widgets/text.h"
#include "ui/window/recent_files.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace jitscope::ui {

namespace {

QListWidget *makeList(const QString &title, QWidget *parent) {
  auto *list = new QListWidget(parent);
  list->setAccessibleName(title);
  list->setAlternatingRowColors(true);
  list->setWordWrap(true);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return list;
}

/// "finished · deferred · 12 calls".
QString overviewText(const SessionOverviews::Overview &overview) {
  QStringList parts{statusText(overview.row.status)};
  QStringList pipelines;
  for (const std::string &pipeline : overview.content.pipelines) {
    pipelines << lineText(pipeline, 40);
  }
  if (!pipelines.isEmpty()) {
    parts << pipelines.join(QStringLiteral(", "));
  }
  const std::uint64_t calls = overview.content.outcomes.total();
  parts << (calls == 1 ? StartPage::tr("1 call") : StartPage::tr("%1 calls").arg(countText(calls)));
  return parts.join(QStringLiteral(" · "));
}

QLabel *makeHeading(const QString &text, QWidget *parent) {
  auto *label = new QLabel(QStringLiteral("<b>%1</b>").arg(text), parent);
  return label;
}

} // namespace

StartPage::StartPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Start"), parent), m_session(new QLabel(this)), m_recent(makeList(tr("Recent"), this)),
      m_examples(makeList(tr("Examples"), this)) {
  setObjectName(QStringLiteral("start"));
  m_recent->setObjectName(QStringLiteral("recentList"));
  m_examples->setObjectName(QStringLiteral("exampleList"));
  auto *title = new QLabel(tr("<h2>Jitscope</h2><p>Which calls hit the compile cache, which missed, why, and what that cost. Run a "
                              "graph script, or open a recorded session. You can also drop a session or a script here.</p>"),
                           this);
  title->setWordWrap(true);
  m_session->setWordWrap(true);
  m_session->setMinimumWidth(1); // the longest word, which may be a path, would be the least otherwise
  m_session->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto *open = new QPushButton(tr("&Open…"), this);
  open->setAutoDefault(true); // Enter does nothing otherwise
  connect(open, &QPushButton::clicked, this, &StartPage::dialogWanted);

  auto *left = new QVBoxLayout;
  left->setSpacing(6);
  left->addWidget(makeHeading(tr("Examples"), this));
  left->addWidget(m_examples);
  auto *right = new QVBoxLayout;
  right->setSpacing(6);
  right->addWidget(makeHeading(tr("Recent"), this));
  right->addWidget(m_recent);
  right->addWidget(open, 0, Qt::AlignLeft);
  auto *lists = new QHBoxLayout;
  lists->setSpacing(24);
  lists->addLayout(left, 1);
  lists->addLayout(right, 1);
  auto *content = new QWidget(this);
  auto *layout = new QVBoxLayout(content);
  layout->setContentsMargins(28, 18, 28, 18);
  layout->setSpacing(14);
  layout->addWidget(title);
  layout->addWidget(m_session);
  layout->addLayout(lists, 1);
  // In a low window what the session is about may leave no room for the lists.
  auto *scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(content);
  auto *outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(scroll);
  setTabOrder(m_examples, m_recent);
  setTabOrder(m_recent, open);
  setFocusProxy(m_examples);

  const auto openItem = [this](const QListWidgetItem *item) {
    // Headings are clicked as well, though they cannot be selected.
    if ((item->flags() & Qt::ItemIsEnabled) != 0) {
      Q_EMIT openWanted(item->data(Qt::UserRole).toString());
    }
  };
  for (QListWidget *list : {m_recent, m_examples}) {
    connect(list, &QListWidget::itemActivated, this, openItem);
    // One click is enough: there is nothing else to do with an item.
    connect(list, &QListWidget::itemClicked, this, [list, openItem](QListWidgetItem *item) {
      if (!list->style()->styleHint(QStyle::SH_ItemView_ActivateItemOnSingleClick)) {
        openItem(item);
      }
    });
  }
  StartPage::clear();
}

void StartPage::describeSession(const QString &path) {
  const QDateTime changed = QFileInfo(path).lastModified();
  if (m_known.contains(path) && m_known[path].changed == changed) {
    showKnown(path);
    return;
  }
  m_overviews.ask(path, [this, path, changed](const base::Result<SessionOverviews::Overview> &overview) {
    if (!overview) {
      return; // whoever opens it is told
    }
    const record::SessionStatus status = overview->row.status;
    // While it is written the file's own time may stand still.
    m_known[path] = {status == record::SessionStatus::Running ? QDateTime() : changed, overviewText(*overview)};
    showKnown(path);
  });
}

void StartPage::showKnown(const QString &path) {
  for (int i = 0; i < m_recent->count(); ++i) {
    QListWidgetItem &item = *m_recent->item(i);
    if (item.data(Qt::UserRole).toString() == path) {
      const QFileInfo info(path);
      item.setText(
          QStringLiteral("%1\n%2 · %3").arg(info.fileName(), m_known[path].text, QDir::toNativeSeparators(info.absolutePath())));
    }
  }
}

QString StartPage::hint() const { return tr("Examples, recent sessions, and a summary of the open session"); }

void StartPage::showEvent(QShowEvent *event) {
  Page::showEvent(event);
  fillLists();
}

void StartPage::fillLists() {
  const auto add = [](QListWidget *list, const QString &name, const QString &below, const QString &path) {
    auto *item = new QListWidgetItem(below.isEmpty() ? name : name + QLatin1Char('\n') + below, list);
    item->setData(Qt::UserRole, path);
    item->setToolTip(path);
  };
  const auto addTitle = [this](QListWidget *list, const QString &title) {
    auto *item = new QListWidgetItem(title, list);
    QFont font = list->font();
    font.setBold(true);
    item->setFont(font);
    item->setForeground(palette().text);
    item->setFlags(Qt::NoItemFlags);
  };
  const auto saySo = [](QListWidget *list, const QString &text) {
    if (list->count() == 0) {
      auto *item = new QListWidgetItem(text, list);
      item->setFlags(Qt::NoItemFlags);
    }
  };
  m_recent->clear();
  const RecentFiles recent = recentFiles();
  for (const auto &[title, paths] : {std::pair(tr("Sessions"), recent.sessions), std::pair(tr("Scripts"), recent.scripts)}) {
    if (!paths.isEmpty()) {
      addTitle(m_recent, title);
    }
    for (const QString &path : paths) {
      const QFileInfo info(path);
      add(m_recent, info.fileName(), QDir::toNativeSeparators(info.absolutePath()), path);
    }
  }
  for (const QString &path : recent.sessions) {
    describeSession(path);
  }
  m_examples->clear();
  for (const Example &example : findExamples()) {
    add(m_examples, example.title, example.summary, example.path);
  }
  saySo(m_recent, tr("Nothing was opened yet."));
  saySo(m_examples, tr("The examples are not installed beside this program."));
}

void StartPage::clear() { m_session->hide(); }

void StartPage::refresh() {
  const session::SessionRow &row = store().row();
  const session::SessionInfo &info = row.info;
  const auto line = [](const QString &name, const QString &value) {
    return QStringLiteral("<tr><td style=\"padding-right:14px\">%1</td><td>%2</td></tr>").arg(name, value.toHtmlEscaped());
  };
  QString html = QStringLiteral("<b>%1</b><table cellspacing=\"0\" cellpadding=\"1\">").arg(store().path().toHtmlEscaped());
  html += line(tr("Script"), lineText(info.scriptPath));
  html += line(tr("Command"), lineText(info.commandLine));
  html += line(tr("Recorded"),
               tr("%1 on %2, took %3")
                   .arg(lineText(info.startedUtc), lineText(info.host), durationText(static_cast<double>(row.durationNs))));
  html += line(tr("Machine"), lineText(info.cpu) + QStringLiteral("; ") + lineText(info.os));
  html += line(tr("Versions"), tr("Jitscope %1, LLVM %2").arg(lineText(info.jitscopeVersion), lineText(info.llvmVersion)));
  if (!row.error.empty()) {
    html += line(tr("Error"),
                 lineText(QString::fromStdString(row.error).replace(QLatin1Char('\n'), QLatin1String("; ")).toStdString(), 1000));
  }
  m_session->setText(html + QStringLiteral("</table>"));
  m_session->show();
}

} // namespace jitscope::ui
