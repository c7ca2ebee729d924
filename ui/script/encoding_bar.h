// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/script/script_text.h"

#include <QFrame>

class QComboBox;
class QLabel;
class QWidget;

namespace jitscope::ui {

/// Says above the editor why a text cannot be edited, and offers to convert it.
class EncodingBar : public QFrame {
  Q_OBJECT

public:
  explicit EncodingBar(QWidget *parent = nullptr);

  /// Hides itself for a text that can be edited.
  void setText(const ScriptText &text);
  [[nodiscard]] QString message() const;

Q_SIGNALS:
  void convertWanted(const TextEncoding &encoding);

private:
  QLabel *m_label;
  QWidget *m_conversion;
  QComboBox *m_encoding;
  std::vector<TextEncoding> m_encodings;
};

} // namespace jitscope::ui
