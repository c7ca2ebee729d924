// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"
#include "ui/pages/page.h"

#include <vector>

namespace jitscope::ui {

class ChartView;
class ItemView;
class SearchField;
class StormLabel;
class TemplateModel;

/// Functions and their templates, what the cache held over time, and what is compiled again and again.
class TemplatesPage : public Page {
  Q_OBJECT

public:
  TemplatesPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;
  [[nodiscard]] TemplateModel &model() const { return *m_model; }

protected:
  void refresh() override;
  void clear() override;
  void recolour() override { drawChart(); }

private:
  /// Opens the functions where what is shown of them is not too much to look through.
  void expandIfFew();
  void drawChart();

  TemplateModel *m_model;
  ItemView *m_tree;
  SearchField *m_search;
  StormLabel *m_storms;
  ChartView *m_cache;
  std::vector<event::MemoryEvent> m_memory;
  std::vector<event::EvictionEvent> m_evictions;
};

} // namespace jitscope::ui
