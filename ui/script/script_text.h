// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QByteArray>
#include <QString>

#include <vector>

/// The text of a script as its file has it, and as the editor shows it.
namespace jitscope::ui {

/// A larger file is not opened.
inline constexpr qint64 kMaxScriptBytes = qint64{16} * 1024 * 1024;

/// Reads a regular file of at most `kMaxScriptBytes`. Folders, pipes and devices are refused, without waiting for any.
[[nodiscard]] base::Result<QByteArray> readScriptFile(const QString &path);

/// An encoding that a text may be converted from.
struct TextEncoding {
  QString label;   ///< for people: "Latin-1 (ISO 8859-1)"
  QByteArray name; ///< for `QStringDecoder`
};

/// What a file has, and whether it may be edited: only what is UTF-8 without NUL comes back from the editor as it was.
struct ScriptText {
  QByteArray bytes; ///< of the file, all of them
  QByteArray shown; ///< UTF-8 for the editor, without byte order mark; what cannot be shown is replaced
  bool hasBom = false;
  QString problem; ///< why it must not be edited, with the place; empty for UTF-8
  /// What it may be converted from, the likeliest first; empty for UTF-8, and for what is no text in any of them.
  std::vector<TextEncoding> encodings = {};

  [[nodiscard]] static ScriptText of(QByteArray bytes);
  [[nodiscard]] bool isEditable() const { return problem.isEmpty(); }
  /// The whole text in an encoding, as UTF-8; RuntimeOption where it is not in that encoding.
  [[nodiscard]] base::Result<QByteArray> convertedFrom(const QByteArray &encoding) const;
  /// What the file is to have for a text of the editor.
  [[nodiscard]] QByteArray bytesFor(const QByteArray &edited) const;
  /// Whether most lines end with CR LF.
  [[nodiscard]] bool hasCrLf() const;
};

} // namespace jitscope::ui
