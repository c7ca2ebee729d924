// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;

namespace jitscope::ui {

class Filter;
class FlowLayout;

/// The filter as chips, on as many lines as they need; a click takes one away. Invisible while nothing restricts.
class FilterBar : public QWidget {
  Q_OBJECT

public:
  explicit FilterBar(Filter &filter, QWidget *parent = nullptr);

private:
  void rebuild();

  Filter &m_filter;
  FlowLayout *m_layout;
  QToolButton *m_clear;
};

} // namespace jitscope::ui
