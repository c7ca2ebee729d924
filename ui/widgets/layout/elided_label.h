// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace jitscope::ui {

/// A line of plain text that is cut where there is no room for it; then its tip has the whole.
class ElidedLabel : public QLabel {
public:
  using QLabel::QLabel;

  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  bool event(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  [[nodiscard]] QString shown() const;
};

} // namespace jitscope::ui
