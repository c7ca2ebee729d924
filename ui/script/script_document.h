// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/script/script_text.h"

#include <QObject>
#include <QString>

class QWidget;

namespace jitscope::ui {

class ScriptEditor;

/// What the dialog is called that asks for a name.
struct SaveTitles {
  QString plain;
  QString ofExample; ///< for a changed example, which becomes a file of the user's own
};

/// The script in the editor and its file. The file is written only if the text was changed, and whole or not at all; what somebody
/// else did to it meanwhile is asked about first.
class ScriptDocument : public QObject {
  Q_OBJECT

public:
  /// Dialogs belong to `window`.
  ScriptDocument(ScriptEditor &editor, QWidget &window);

  /// The file; empty for none.
  [[nodiscard]] const QString &path() const { return m_path; }
  [[nodiscard]] const ScriptText &text() const { return m_text; }
  /// There is something to lose.
  [[nodiscard]] bool isChanged() const;

  /// Replaces the text in the editor. `path` is the file of the new text; empty for none.
  void show(ScriptText text, const QString &path);
  /// The text as it is in another encoding, which is saved as UTF-8.
  void convertFrom(const TextEncoding &encoding);
  /// Asks whether to save what was changed. False where the user would rather stay.
  [[nodiscard]] bool mayLeave();
  /// Writes the file, unless nothing was changed; asks for a name if there is none. False where it was not saved.
  bool save(const SaveTitles &titles);
  /// Writes the text, or of a text that cannot be edited its bytes, to a file that is asked for.
  bool saveAs(const QString &title);

Q_SIGNALS:
  /// The file, whether it is changed, or whether it can be edited.
  void stateChanged();
  /// Another text is in the editor.
  void replaced();
  void problem(const QString &message);
  void news(const QString &message);
  /// A file was opened, or got its name.
  void opened(const QString &path);

private:
  /// What became of the file since it was read or written.
  enum class DiskState { Same, Changed, Gone };

  [[nodiscard]] DiskState diskState() const;
  /// What the file is to have.
  [[nodiscard]] QByteArray bytes() const;
  /// Reads the file again and stays at the line.
  bool reload();
  [[nodiscard]] base::Result<void> write(const QString &path);
  [[nodiscard]] bool overwrite();
  /// Asks what is to become of a file that somebody else changed or deleted. True where it is saved, or was read again.
  [[nodiscard]] bool settle(DiskState state, const SaveTitles &titles);

  ScriptEditor &m_editor;
  QWidget &m_window;
  ScriptText m_text = ScriptText::of({}); ///< as last read or written
  QString m_path;
  bool m_isConverted = false; ///< from another encoding, and not saved yet
};

} // namespace jitscope::ui
