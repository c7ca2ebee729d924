// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace jitscope::ui {

/// A box whose text is cut in the middle where there is no room for it, and whose list is as wide as its entries.
class ElidedComboBox : public QComboBox {
public:
  using QComboBox::QComboBox;

  /// The text as it is shown.
  [[nodiscard]] QString shownText() const;
  void showPopup() override;

protected:
  void paintEvent(QPaintEvent *event) override;
};

} // namespace jitscope::ui
