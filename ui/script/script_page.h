// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compiles/optimizer_tables.h"
#include "ui/pages/page.h"
#include "ui/script/script_run.h"

#include <optional>
#include <vector>

class QAction;
class QComboBox;
class QLineEdit;

namespace jitscope::ui {

class ElidedLabel;
class EncodingBar;
class FindBar;
class RunOutput;
class ScriptDocument;
class ScriptEditor;

/// The editor, and the run of what is in it.
class ScriptPage : public Page {
  Q_OBJECT

public:
  ScriptPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  /// Opens a script in place of the present one; false where the user would rather keep that, or it cannot be read.
  bool openScript(const QString &path);
  /// False where there are changes, or a run, that the user does not want to lose with the window.
  [[nodiscard]] bool mayClose();
  /// Begins an empty script in place of the present one; false where the user would rather keep that.
  bool newScript();
  void goToLine(int line);
  void run();
  void stop() { m_run.stop(); }
  /// Saves what was changed; false where it was not saved.
  bool save();
  /// Saves it under a name that is asked for.
  bool saveAs();

  [[nodiscard]] ScriptEditor &editor() const { return *m_editor; }
  [[nodiscard]] RunOutput &output() const { return *m_output; }
  [[nodiscard]] ScriptRun &scriptRun() { return m_run; }
  [[nodiscard]] ScriptDocument &document() const { return *m_document; }
  [[nodiscard]] const QString &path() const;
  /// The page itself is having the session of its run opened.
  [[nodiscard]] bool isOpeningRun() const { return m_isOpeningRun; }
  [[nodiscard]] QAction *runAction() const { return m_runAction; }
  [[nodiscard]] QAction *stopAction() const { return m_stopAction; }
  /// Where the command is looked for first; empty for the usual places.
  void setCommand(const QString &command) { m_command = command; }

Q_SIGNALS:
  void problem(const QString &message);
  /// What is no failing, such as a run that was stopped.
  void news(const QString &message);
  void runStarted();
  /// What the run is doing, e.g. what it compiles; empty for nothing that takes long.
  void progressed(const QString &state);
  void scriptOpened(const QString &path);
  /// The editor was left by a key.
  void leaveWanted();

protected:
  void refresh() override;
  void clear() override;
  void recolour() override;
  void focusInEvent(QFocusEvent *event) override;

private:
  void addBar();
  void addKeys();
  void append(const QString &text, bool isError);
  void runEnded(int exitCode, const QString &message);
  void updateTitle();
  /// Says where there is no output yet what is chosen for the run.
  void updateHint();
  void addRun();
  void openRun(const QString &session);
  /// Another text is in the editor.
  void scriptReplaced();
  [[nodiscard]] QString sessionPath() const;
  [[nodiscard]] QStringList arguments() const;

  ScriptRun m_run;
  QString m_runPath;    ///< of the script that was run last
  QString m_outputPath; ///< of the script that the output is of
  bool m_isOpeningRun = false;
  bool m_isNewSession = false; ///< a session was opened, and its script not yet looked at
  bool m_isNewScript = false;  ///< an empty script was asked for, and no session's is to be in its place
  std::optional<QString> m_command;
  QString m_errors; ///< what the present run wrote to its standard error
  QWidget *m_bar;
  QAction *m_runAction = nullptr;
  QAction *m_stopAction = nullptr;
  QComboBox *m_pipeline;
  QLineEdit *m_options;
  ElidedLabel *m_name;
  ScriptEditor *m_editor;
  ScriptDocument *m_document;
  EncodingBar *m_encodingBar;
  FindBar *m_findBar;
  ElidedLabel *m_progress; ///< of the run; hidden where there is nothing to tell
  RunOutput *m_output;
};

} // namespace jitscope::ui
