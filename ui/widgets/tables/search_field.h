// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace jitscope::ui {

/// Text that rows are searched for. Escape empties it; only when it is empty is the key the window's, which removes the filter.
class SearchField : public QLineEdit {
  Q_OBJECT

public:
  /// `placeholder` says what is searched, to screen readers as well.
  explicit SearchField(const QString &placeholder, QWidget *parent = nullptr);

protected:
  bool event(QEvent *event) override;
};

} // namespace jitscope::ui
