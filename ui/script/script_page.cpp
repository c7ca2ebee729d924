// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/script_page.h"

#include "analysis/function_summary.h"
#include "base/try.h"
#include "ui/script/encoding_bar.h"
#include "ui/script/find_bar.h"
#include "ui/script/find_program.h"
#include "ui/script/run_output.h"
#include "ui/script/script_document.h"
#include "ui/script/script_editor.h"
#include "ui/script/script_notes.h"
#include "ui/widgets/examples.h"
#include "ui/widgets/layout/elided_label.h"
#include "ui/widgets/layout/flow_layout.h"
#include "ui/widgets/layout/splitter.h"
#include "ui/widgets/text.h"

#include <QAction>
#include <QComboBox>
#include <QDateTime>
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

#include <utility>

namespace jitscope::ui {

ScriptPage::ScriptPage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Script"), parent), m_bar(new QWidget(this)), m_pipeline(new QComboBox(this)),
      m_options(new QLineEdit(this)), m_name(new ElidedLabel(this)), m_editor(new ScriptEditor(this)),
      m_document(new ScriptDocument(*m_editor, *this)), m_encodingBar(new EncodingBar(this)),
      m_findBar(new FindBar(*m_editor, this)), m_progress(new ElidedLabel(this)), m_output(new RunOutput(this)) {
  setObjectName(QStringLiteral("script"));
  m_editor->setFrameShape(QFrame::NoFrame);
  addBar();
  addKeys();
  auto *top = new QWidget(this);
  auto *topLayout = new QVBoxLayout(top);
  topLayout->setContentsMargins(0, 0, 0, 0);
  topLayout->setSpacing(0);
  topLayout->addWidget(m_encodingBar);
  topLayout->addWidget(m_editor, 1);
  topLayout->addWidget(m_findBar);
  m_progress->setObjectName(QStringLiteral("runProgress"));
  m_progress->setAccessibleName(tr("Progress of the run"));
  m_progress->setContentsMargins(8, 2, 8, 2);
  m_progress->hide();
  auto *below = new QWidget(this);
  auto *belowLayout = new QVBoxLayout(below);
  belowLayout->setContentsMargins(0, 0, 0, 0);
  belowLayout->setSpacing(0);
  belowLayout->addWidget(m_progress);
  belowLayout->addWidget(m_output, 1);
  auto *splitter = new Splitter(QStringLiteral("script"), Qt::Vertical, this);
  splitter->addWidget(top);
  splitter->addWidget(below);
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
  connect(m_document, &ScriptDocument::stateChanged, this, &ScriptPage::updateTitle);
  connect(m_document, &ScriptDocument::replaced, this, &ScriptPage::scriptReplaced);
  connect(m_document, &ScriptDocument::problem, this, &ScriptPage::problem);
  connect(m_document, &ScriptDocument::news, this, &ScriptPage::news);
  connect(m_document, &ScriptDocument::opened, this, &ScriptPage::scriptOpened);
  connect(m_encodingBar, &EncodingBar::convertWanted, m_document, &ScriptDocument::convertFrom);
  addRun();
  ScriptPage::recolour();
  updateTitle();
  updateHint();
}

void ScriptPage::addRun() {
  connect(&m_run, &ScriptRun::output, this, &ScriptPage::append);
  connect(&m_run, &ScriptRun::progressed, this, [this](const QString &state) {
    m_progress->setText(state);
    m_progress->setVisible(!state.isEmpty());
    Q_EMIT progressed(state);
  });
  connect(&m_run, &ScriptRun::sessionCreated, this, &ScriptPage::openRun);
  connect(&m_run, &ScriptRun::nothingRecorded, this, [this](const QString &path) {
    if (store().isOpen()) {
      append(tr("Nothing was recorded. The session that was open stays open.\n"), false);
    } else {
      openRun(path);
    }
  });
  connect(&m_run, &ScriptRun::finished, this, &ScriptPage::runEnded);
}

void ScriptPage::openRun(const QString &session) {
  m_isOpeningRun = true;
  store().open(session);
  m_isOpeningRun = false;
}

const QString &ScriptPage::path() const { return m_document->path(); }

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
  m_stopAction->setToolTip(tr("Stop the run and keep what was recorded (Shift+F5)"));
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
  m_options->setPlaceholderText(tr("Options, e.g. opt=2 slp=false"));
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
  const QString name = path().isEmpty() ? tr("no file") : QFileInfo(path()).fileName();
  m_name->setText(m_document->isChanged()           ? tr("%1 (changed)").arg(name)
                  : m_document->text().isEditable() ? name
                                                    : tr("%1 (read only)").arg(name));
  m_name->setToolTip(path());
}

void ScriptPage::updateHint() {
  QString hint = tr("The script's output and the report of the run appear here.");
  // What is chosen outlives the script that it was chosen for.
  if (const QString pipeline = m_pipeline->currentData().toString(); !pipeline.isEmpty()) {
    hint += QLatin1Char('\n') + tr("It will run under the pipeline %1, as chosen above.").arg(pipeline);
  }
  if (const QString options = m_options->text().simplified(); !options.isEmpty()) {
    hint += QLatin1Char('\n') + tr("It will run with the options %1, as given above.").arg(options);
  }
  m_output->setPlaceholderText(hint);
}

void ScriptPage::scriptReplaced() {
  // Of a run that goes on the output stays, as does that of a script that is read again.
  const QString previous = std::exchange(m_outputPath, path());
  if (!m_run.isRunning() && (path().isEmpty() || path() != previous)) {
    m_output->clear();
  }
  m_editor->markError(0);
  m_editor->setNotes({}, {});
  m_encodingBar->setText(m_document->text());
  m_isNewScript = false;
}

bool ScriptPage::newScript() {
  m_isNewSession = false;
  if (!m_document->mayLeave()) {
    return false;
  }
  m_document->show(ScriptText::of({}), {});
  m_isNewScript = true;
  return true;
}

bool ScriptPage::mayClose() {
  if (m_run.isRunning()) {
    const auto answer = QMessageBox::question(this, tr("A script is running"),
                                              tr("Closing the window stops the run. Everything recorded so far is kept."),
                                              QMessageBox::Close | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer != QMessageBox::Close) {
      return false;
    }
  }
  return m_document->mayLeave();
}

bool ScriptPage::openScript(const QString &path) {
  m_isNewSession = false;
  // Before the present one is asked about: what cannot be read takes nothing's place.
  base::Result<QByteArray> bytes = readScriptFile(path);
  const bool mayLeave = bytes && m_document->mayLeave();
  if (mayLeave) {
    bytes = readScriptFile(path); // which may just have been saved
  }
  if (!bytes) {
    Q_EMIT problem(toText(base::describe(bytes.error())));
    return false;
  }
  if (!mayLeave) {
    return false;
  }
  m_document->show(ScriptText::of(*std::move(bytes)), QFileInfo(path).absoluteFilePath());
  setStale();
  Q_EMIT scriptOpened(this->path());
  return true;
}

bool ScriptPage::save() { return m_document->save({tr("Save script"), tr("Save a copy: examples cannot be changed")}); }

bool ScriptPage::saveAs() { return m_document->saveAs(tr("Save script as")); }

QString ScriptPage::sessionPath() const {
  const QString folder =
      QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/jitscope/sessions");
  // To the millisecond: two windows may run the same script in the same second.
  const QString stem = QStringLiteral("%1/%2-%3")
                           .arg(folder, QFileInfo(path()).completeBaseName(),
                                QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz")));
  QString path = stem + QStringLiteral(".jitscope");
  for (int i = 2; QFileInfo::exists(path); ++i) {
    path = QStringLiteral("%1-%2.jitscope").arg(stem).arg(i);
  }
  return path;
}

QStringList ScriptPage::arguments() const {
  QStringList result{QStringLiteral("--progress"), QStringLiteral("always")};
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
  if (!m_document->save({tr("Save the script to run it"), tr("Save a copy to run it: examples cannot be changed")})) {
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
  m_outputPath = path();
  m_runPath = path();
  Q_EMIT runStarted();
  m_run.start(command, path(), sessionPath(), arguments());
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
  // Where a run was when it was stopped is no error of the script.
  if (m_run.wasStopped()) {
    append(message + QLatin1Char('\n'), false);
    Q_EMIT news(message);
    return;
  }
  if (!message.isEmpty()) {
    append(message + QLatin1Char('\n'), true);
    Q_EMIT problem(message);
  }
  if (exitCode == 0) {
    return;
  }
  // Another script may be in the editor by now.
  if (m_runPath == path()) {
    m_editor->markError(lineIn(m_errors, QFileInfo(path()).fileName()));
  }
  if (message.isEmpty()) {
    append(tr("\nThe run ended with status %1.\n").arg(exitCode), true);
    const QString told = errorIn(m_errors);
    Q_EMIT problem(told.isEmpty() ? tr("The run ended with status %1. Its output says why.").arg(exitCode) : told);
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
  const bool isUntouched = path().isEmpty() && m_editor->text().isEmpty() && !m_isNewScript && !m_document->isChanged();
  const bool isOther = std::exchange(m_isNewSession, false) && store().isOpen() && !m_document->isChanged() && !m_run.isRunning() &&
                       QFileInfo(fromPath(info.scriptPath)) != QFileInfo(path());
  const QByteArray recorded = QByteArray::fromStdString(info.scriptText);
  if (!recorded.isEmpty() && recorded.size() <= kMaxScriptBytes && (isUntouched || isOther)) {
    // What would run is what is seen: a file that has another text by now is not this script.
    const base::Result<QByteArray> file = readScriptFile(fromPath(info.scriptPath));
    const bool isSame = file && *file == recorded;
    m_document->show(ScriptText::of(recorded), isSame ? QFileInfo(fromPath(info.scriptPath)).absoluteFilePath() : QString());
  }
  if (m_document->isChanged() || m_document->text().bytes != recorded) {
    m_editor->setNotes({}, {});
    return;
  }
  store().ask(
      SessionStore::Lane::Bulk, QStringLiteral("script-notes"), this,
      [selection = filter().selection()](session::SessionReader &reader) -> base::Result<Answer> {
        JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
        JITSCOPE_TRY(std::vector<analysis::FunctionSummary> functions, analysis::readFunctions(reader, selection));
        JITSCOPE_TRY(std::vector<analysis::RemarkGroup> remarks, analysis::readRemarkGroups(reader.database(), selection));
        return Answer{std::move(functions), std::move(remarks)};
      },
      [this](const Answer &answer) {
        const ScriptNotes notes = scriptNotes(answer.functions, answer.remarks);
        m_editor->setNotes(notes.notes, notes.tips);
      });
}

} // namespace jitscope::ui
