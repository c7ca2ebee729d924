// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace jitscope::ui {

class Filter;

/// The filter as a row of chips; a click takes one away. Invisible while nothing restricts.
class FilterBar : public QWidget {
  Q_OBJECT

public:
  explicit FilterBar(Filter &filter, QWidget *parent = nullptr);

private:
  void rebuild();

  Filter &m_filter;
  QHBoxLayout *m_chips;
  QToolButton *m_clear;
};

} // namespace jitscope::ui
