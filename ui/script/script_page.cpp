// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/script_page.h"

#include "analysis/summary.h"
#include "base/try.h"
#include "ui/script/find_bar.h"
#include "ui/script/find_program.h"
#include "ui/script/run_output.h"
#include "ui/script/script_editor.h"
#include "ui/script/script_notes.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/examples.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/save_file.h"
#include "ui/widgets/splitter.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QComboBox>
#include <QDateTime>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>
#include <QStandardPaths>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace jitscope::ui {

namespace {

constexpr qint64 kMostScriptBytes = qint64{16} * 1024 * 1024;

} // namespace

ScriptPage::ScriptPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Script"), parent), m_bar(new QWidget(this)), m_pipeline(new QComboBox(this)),
      m_options(new QLineEdit(this)), m_name(new ElidedLabel(this)), m_editor(new ScriptEditor(this)),
      m_findBar(new FindBar(*m_editor, this)), m_output(new RunOutput(this)) {
  setObjectName(QStringLiteral("script"));
  m_editor->setFrameShape(QFrame::NoFrame);
  addBar();
  addKeys();
  auto *top = new QWidget(this);
  auto *topLayout = new QVBoxLayout(top);
  topLayout->setContentsMargins(0, 0, 0, 0);
  topLayout->setSpacing(0);
  topLayout->addWidget(m_editor, 1);
  topLayout->addWidget(m_findBar);
  auto *splitter = new Splitter(QStringLiteral("script"), Qt::Vertical, this);
  splitter->addWidget(top);
  splitter->addWidget(m_output);
  splitter->restore({460, 220});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_bar);
  layout->addWidget(splitter, 1);

  // Before `opened`, on which the page reads the session.
  connect(&store(), &SessionStore::entering, this, [this] { m_isNewSession = true; });
  connect(m_editor, &ScriptEditor::leaveWanted, this, [this] {
    if (m_findBar->isVisible()) {
      m_findBar->hide();
    } else {
      Q_EMIT leaveWanted();
    }
  });
  connect(m_editor, &QsciScintilla::modificationChanged, this, &ScriptPage::updateTitle);
  connect(&m_run, &ScriptRun::output, this, &ScriptPage::append);
  connect(&m_run, &ScriptRun::sessionCreated, this, [this](const QString &path) { store().open(path); });
  connect(&m_run, &ScriptRun::nothingRecorded, this, [this](const QString &path) {
    if (store().isOpen()) {
      append(tr("Nothing was recorded. The session that was open stays open.\n"), false);
    } else {
      store().open(path);
    }
  });
  connect(&m_run, &ScriptRun::finished, this, &ScriptPage::runEnded);
  ScriptPage::recolour();
  updateTitle();
  updateHint();
}

// A focus proxy would draw Tab past the controls as well.
void ScriptPage::focusInEvent(QFocusEvent *event) { m_editor->setFocus(event->reason()); }

QString ScriptPage::hint() const { return tr("Write and run a graph script"); }

void ScriptPage::addBar() {
  auto *flow = new FlowLayout(m_bar);
  flow->setContentsMargins(6, 3, 6, 3);
  QWidget *last = nullptr;
  // Created later than the editor, in which Tab indents, and yet reached before it.
  const auto follow = [&last](QWidget *next) {
    if (QWidget *before = std::exchange(last, next)) {
      QWidget::setTabOrder(before, next);
    }
  };
  const auto addButton = [this, flow, &follow](const QString &text, auto slot) {
    auto *action = new QAction(text, this);
    connect(action, &QAction::triggered, this, slot);
    auto *button = new QToolButton(m_bar);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    flow->addWidget(button);
    follow(button);
    return action;
  };
  m_runAction = addButton(tr("▶ Run"), &ScriptPage::run);
  m_runAction->setShortcut(Qt::Key_F5);
  m_runAction->setToolTip(tr("Run the script and follow its session (F5)"));
  m_stopAction = addButton(tr("■ Stop"), &ScriptPage::stop);
  m_stopAction->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F5));
  m_stopAction->setToolTip(tr("Stop the run; what was recorded stays (Shift+F5)"));
  m_stopAction->setEnabled(false);
  auto *examples = new QToolButton(m_bar);
  examples->setText(tr("Examples"));
  examples->setAutoRaise(true);
  examples->setPopupMode(QToolButton::InstantPopup);
  auto *menu = new QMenu(examples);
  menu->setObjectName(QStringLiteral("examplesMenu"));
  menu->setToolTipsVisible(true);
  for (const Example &example : findExamples()) {
    menu->addAction(example.title, this, [this, path = example.path] { openScript(path); })->setToolTip(example.summary);
  }
  examples->setMenu(menu);
  examples->setEnabled(!menu->isEmpty());
  flow->addWidget(examples);
  follow(examples);
  addButton(tr("Save"), &ScriptPage::save)->setShortcut(QKeySequence::Save);
  // A label and what it is of stay beside each other.
  auto *pipeline = new QWidget(m_bar);
  auto *row = new QHBoxLayout(pipeline);
  row->setContentsMargins(6, 0, 0, 0);
  auto *pipelineLabel = new QLabel(tr("&Pipeline:"), pipeline);
  pipelineLabel->setBuddy(m_pipeline);
  row->addWidget(pipelineLabel);
  m_pipeline->setObjectName(QStringLiteral("pipeline"));
  m_pipeline->setAccessibleName(tr("Pipeline"));
  m_pipeline->addItem(tr("as the script says"), QString());
  for (const char *name : {"per-function", "deferred", "pre-link", "separate"}) {
    m_pipeline->addItem(QString::fromLatin1(name), QString::fromLatin1(name));
  }
  row->addWidget(m_pipeline);
  flow->addWidget(pipeline);
  m_options->setAccessibleName(tr("Options"));
  m_options->setPlaceholderText(tr("Options, as in opt=2 slp=false"));
  m_options->setToolTip(tr("Set for the run, separated by spaces. The script's own options{} come later."));
  m_options->setFixedWidth(220);
  flow->addWidget(m_options);
  connect(m_options, &QLineEdit::returnPressed, m_runAction, &QAction::trigger);
  connect(m_options, &QLineEdit::textChanged, this, &ScriptPage::updateHint);
  connect(m_pipeline, &QComboBox::currentIndexChanged, this, &ScriptPage::updateHint);
  for (QWidget *next : {static_cast<QWidget *>(m_pipeline), static_cast<QWidget *>(m_options), static_cast<QWidget *>(m_editor),
                        static_cast<QWidget *>(m_output)}) {
    follow(next);
  }
  m_name->setObjectName(QStringLiteral("scriptName"));
  m_name->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_name->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  flow->addWidget(m_name);
}

void ScriptPage::addKeys() {
  const auto addKey = [this](const QKeySequence &keys, auto slot) {
    auto *action = new QAction(this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
  };
  addKey(QKeySequence::Find, [this] { m_findBar->open(); });
  addKey(Qt::Key_F3, [this] { m_findBar->find(true); });
  addKey(QKeySequence(Qt::SHIFT | Qt::Key_F3), [this] { m_findBar->find(false); });
}

void ScriptPage::updateTitle() {
  const QString name = m_path.isEmpty() ? tr("no file") : QFileInfo(m_path).fileName();
  m_name->setText(m_editor->isModified() ? tr("%1 (changed)").arg(name) : name);
  m_name->setToolTip(m_path);
}

void ScriptPage::updateHint() {
  QString hint = tr("What the script prints, and the report of the run, appear here.");
  // What is chosen outlives the script that it was chosen for.
  if (const QString pipeline = m_pipeline->currentData().toString(); !pipeline.isEmpty()) {
    hint += QLatin1Char('\n') + tr("It will run under the pipeline %1, as chosen above.").arg(pipeline);
  }
  if (const QString options = m_options->text().simplified(); !options.isEmpty()) {
    hint += QLatin1Char('\n') + tr("It will run with the options %1, as given above.").arg(options);
  }
  m_output->setPlaceholderText(hint);
}

void ScriptPage::setScript(const QString &text, const QString &path) {
  // Of a run that goes on the output stays, as does that of a script that is read anew.
  if (!m_run.isRunning() && (path.isEmpty() || path != m_path)) {
    m_output->clear();
  }
  m_editor->setText(text);
  m_editor->setModified(false);
  m_editor->markError(0);
  m_editor->setNotes({}, {});
  m_path = path;
  m_isNewScript = false;
  updateTitle();
}

bool ScriptPage::newScript() {
  m_isNewSession = false;
  if (!mayLeave()) {
    return false;
  }
  setScript({}, {});
  m_isNewScript = true;
  return true;
}

bool ScriptPage::mayLeave() {
  if (!m_editor->isModified()) {
    return true;
  }
  const auto answer = QMessageBox::question(this, tr("Unsaved script"), tr("The script has changes that were not saved."),
                                            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

bool ScriptPage::mayClose() {
  if (m_run.isRunning()) {
    const auto answer = QMessageBox::question(this, tr("A script is running"),
                                              tr("Closing the window stops the run. What was recorded until then stays."),
                                              QMessageBox::Close | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer != QMessageBox::Close) {
      return false;
    }
  }
  return mayLeave();
}

bool ScriptPage::openScript(const QString &path) {
  m_isNewSession = false;
  if (!mayLeave()) {
    return false;
  }
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    Q_EMIT problem(tr("%1 cannot be read: %2").arg(path, file.errorString()));
    return false;
  }
  if (file.size() > kMostScriptBytes) {
    Q_EMIT problem(tr("%1 is larger than a script can be (16 MiB).").arg(path));
    return false;
  }
  setScript(QString::fromUtf8(file.readAll()), QFileInfo(path).absoluteFilePath());
  setStale();
  Q_EMIT scriptOpened(m_path);
  return true;
}

bool ScriptPage::save() { return saveUnder(tr("Save script"), tr("Save a copy: examples cannot be changed")); }

bool ScriptPage::saveUnder(const QString &title, const QString &titleOfExample) {
  // What comes with Jitscope stays as it is: a changed example becomes a file of one's own.
  const std::vector<Example> examples = findExamples();
  const QString path = QFileInfo(m_path).canonicalFilePath();
  const bool isExample = std::ranges::find(examples, path, &Example::path) != examples.end();
  if (m_path.isEmpty() || isExample) {
    return saveAs(isExample ? titleOfExample : title);
  }
  if (const base::Result<void> saved = writeFile(m_path, m_editor->text().toUtf8()); !saved) {
    Q_EMIT problem(toText(base::describe(saved.error())));
    return false;
  }
  m_editor->setModified(false);
  return true;
}

bool ScriptPage::saveAs(const QString &title) {
  bool done = false;
  saveWithDialog(this, title, m_path.isEmpty() ? QStringLiteral("script.lua") : QFileInfo(m_path).fileName(),
                 {tr("Graph scripts (*.lua)")}, [this, &done](const QString &path) {
                   base::Result<void> saved = writeFile(path, m_editor->text().toUtf8());
                   if (saved) {
                     m_path = QFileInfo(path).absoluteFilePath();
                     m_editor->setModified(false);
                     updateTitle();
                     Q_EMIT scriptOpened(m_path);
                     done = true;
                   }
                   return saved;
                 });
  return done;
}

QString ScriptPage::sessionPath() const {
  const QString folder =
      QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/jitscope/sessions");
  // To the millisecond: two windows may run the same script in the same second.
  const QString stem = QStringLiteral("%1/%2-%3")
                           .arg(folder, QFileInfo(m_path).completeBaseName(),
                                QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz")));
  QString path = stem + QStringLiteral(".jitscope");
  for (int i = 2; QFileInfo::exists(path); ++i) {
    path = QStringLiteral("%1-%2.jitscope").arg(stem).arg(i);
  }
  return path;
}

QStringList ScriptPage::arguments() const {
  QStringList result{QStringLiteral("--progress"), QStringLiteral("never")};
  if (const QString pipeline = m_pipeline->currentData().toString(); !pipeline.isEmpty()) {
    result << QStringLiteral("--pipeline") << pipeline;
  }
  const QStringList options = m_options->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  for (const QString &option : options) {
    result << QStringLiteral("--set") << option;
  }
  return result;
}

void ScriptPage::run() {
  if (m_run.isRunning()) {
    return;
  }
  if (m_editor->text().trimmed().isEmpty()) {
    Q_EMIT problem(tr("There is no script to run. Open one, or choose one of the examples."));
    return;
  }
  // What runs is what is seen.
  if ((m_path.isEmpty() || m_editor->isModified()) &&
      !saveUnder(tr("Save the script to run it"), tr("Save a copy to run it: examples cannot be changed"))) {
    return;
  }
  const QString command = m_command ? *m_command : findProgram(QStringLiteral("jitscope"));
  if (command.isEmpty()) {
    Q_EMIT problem(
        tr("The command jitscope, which runs scripts, is neither beside this program nor in PATH. Install it, or add its "
           "folder to PATH, and start Jitscope again."));
    return;
  }
  m_output->clear();
  m_errors.clear();
  m_editor->markError(0);
  m_runAction->setEnabled(false);
  m_stopAction->setEnabled(true);
  m_run.start(command, m_path, sessionPath(), arguments());
}

void ScriptPage::append(const QString &text, bool isError) {
  if (isError) {
    m_errors = (m_errors + text).right(qsizetype{16} * 1024);
  }
  m_output->append(text, isError);
}

void ScriptPage::runEnded(int exitCode, const QString &message) {
  m_runAction->setEnabled(true);
  m_stopAction->setEnabled(false);
  if (!message.isEmpty()) {
    append(message + QLatin1Char('\n'), true);
    Q_EMIT problem(message);
  }
  if (exitCode != 0) {
    const int line = lineIn(m_errors, QFileInfo(m_path).fileName());
    m_editor->markError(line);
    if (message.isEmpty()) {
      append(tr("\nThe run ended with status %1.\n").arg(exitCode), true);
      if (const QString told = errorIn(m_errors); !told.isEmpty()) {
        Q_EMIT problem(told);
      }
    }
  }
}

void ScriptPage::goToLine(int line) { m_editor->goToLine(line); }

void ScriptPage::recolour() {
  m_editor->setColours(palette());
  m_findBar->setAlarm(palette().outcome(event::Outcome::Miss));
  m_output->setAlarm(palette().outcome(event::Outcome::Miss));
}

void ScriptPage::clear() { m_editor->setNotes({}, {}); }

void ScriptPage::refresh() {
  struct Answer {
    std::vector<analysis::FunctionSummary> functions;
    std::vector<analysis::RemarkGroup> remarks;
  };
  // The margin speaks of the script that the session ran, as it was then. Where nothing is open, the session's own text is shown.
  const session::SessionInfo &info = store().row().info;
  const bool isUntouched = m_path.isEmpty() && m_editor->text().isEmpty() && !m_isNewScript;
  const bool isOther = std::exchange(m_isNewSession, false) && store().isOpen() && !m_editor->isModified() && !m_run.isRunning() &&
                       QFileInfo(fromPath(info.scriptPath)) != QFileInfo(m_path);
  if (!info.scriptText.empty() && (isUntouched || isOther)) {
    // What would run is what is seen: a file that has another text by now is not this script.
    QFile file(fromPath(info.scriptPath));
    const bool isSame = file.open(QIODevice::ReadOnly) && file.readAll() == QByteArray::fromStdString(info.scriptText);
    setScript(toText(info.scriptText), isSame ? QFileInfo(file).absoluteFilePath() : QString());
  }
  if (m_editor->text() != toText(info.scriptText)) {
    m_editor->setNotes({}, {});
    return;
  }
  store().ask(
      SessionStore::Lane::Bulk, QStringLiteral("script-notes"), this,
      [selection = filter().selection()](session::SessionReader &reader) -> base::Result<Answer> {
        analysis::SummaryOptions options;
        options.selection = selection;
        options.misses = 0;
        JITSCOPE_TRY(analysis::Summary summary, summarize(reader, options));
        JITSCOPE_TRY(std::vector<analysis::RemarkGroup> remarks, analysis::readRemarkGroups(reader.database(), selection));
        return Answer{std::move(summary.functions), std::move(remarks)};
      },
      [this](const Answer &answer) {
        const ScriptNotes notes = scriptNotes(answer.functions, answer.remarks);
        m_editor->setNotes(notes.notes, notes.tips);
      });
}

} // namespace jitscope::ui
