// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QList>

namespace jitscope::ui {

/// Widgets beside each other, on as many lines as they need: as narrow as its widest widget. What may grow takes the rest of its
/// line.
class FlowLayout : public QLayout {
public:
  explicit FlowLayout(QWidget *parent = nullptr);
  ~FlowLayout() override;

  void addItem(QLayoutItem *item) override;
  [[nodiscard]] int count() const override { return static_cast<int>(m_items.size()); }
  [[nodiscard]] QLayoutItem *itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem *takeAt(int index) override;
  [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
  [[nodiscard]] QSize minimumSize() const override;
  [[nodiscard]] QSize sizeHint() const override;
  void setGeometry(const QRect &area) override;

private:
  /// Puts the items into lines of an area, or only counts; the height that they take.
  [[nodiscard]] int arrange(const QRect &area, bool places) const;
  void placeLine(const QList<QLayoutItem *> &line, const QRect &area) const;

  QList<QLayoutItem *> m_items;
};

} // namespace jitscope::ui
