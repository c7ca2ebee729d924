// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/filter_bar.h"

#include "ui/store/filter.h"
#include "ui/widgets/layout/flow_layout.h"

#include <QLabel>
#include <QToolButton>

#include <memory>

namespace jitscope::ui {

FilterBar::FilterBar(Filter &filter, QWidget *parent)
    : QWidget(parent), m_filter(filter), m_layout(new FlowLayout(this)), m_clear(new QToolButton(this)) {
  setObjectName(QStringLiteral("filterBar"));
  setAccessibleName(tr("Filter"));
  m_layout->setContentsMargins(8, 4, 8, 4);
  m_layout->addWidget(new QLabel(tr("Only:"), this));
  m_clear->setText(tr("Show all"));
  m_clear->setToolTip(tr("Remove the whole filter (Esc)"));
  m_clear->setAutoRaise(true);
  connect(m_clear, &QToolButton::clicked, &m_filter, &Filter::clear);
  connect(&m_filter, &Filter::changed, this, &FilterBar::rebuild);
  rebuild();
}

void FilterBar::rebuild() {
  // What stands first stays.
  while (const std::unique_ptr<QLayoutItem> item{m_layout->takeAt(1)}) {
    if (item->widget() != m_clear) {
      // A click on it may be what led here.
      item->widget()->deleteLater();
      item->widget()->hide();
    }
  }
  const std::vector<Filter::Chip> chips = m_filter.chips();
  for (const Filter::Chip &chip : chips) {
    auto *button = new QToolButton(this);
    button->setObjectName(QStringLiteral("chip"));
    const QString shown = fontMetrics().elidedText(chip.text, Qt::ElideMiddle, 260);
    button->setText(shown + QStringLiteral("  ✕"));
    button->setToolTip(tr("%1\nClick to remove").arg(chip.text));
    button->setAccessibleName(tr("Remove filter %1").arg(chip.text));
    connect(button, &QToolButton::clicked, &m_filter, [this, part = chip.part] { m_filter.remove(part); });
    m_layout->addWidget(button);
  }
  m_layout->addWidget(m_clear);
  setVisible(!chips.empty());
}

} // namespace jitscope::ui
