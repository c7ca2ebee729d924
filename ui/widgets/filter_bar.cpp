// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/filter_bar.h"

#include "ui/store/filter.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace jitscope::ui {

FilterBar::FilterBar(Filter &filter, QWidget *parent)
    : QWidget(parent), m_filter(filter), m_chips(new QHBoxLayout), m_clear(new QToolButton(this)) {
  setObjectName(QStringLiteral("filterBar"));
  setAccessibleName(tr("Filter"));
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->addWidget(new QLabel(tr("Only:"), this));
  m_chips->setSpacing(6);
  layout->addLayout(m_chips);
  m_clear->setText(tr("Show all"));
  m_clear->setToolTip(tr("Remove the whole filter (Esc)"));
  m_clear->setAutoRaise(true);
  layout->addWidget(m_clear);
  layout->addStretch();
  connect(m_clear, &QToolButton::clicked, &m_filter, &Filter::clear);
  connect(&m_filter, &Filter::changed, this, &FilterBar::rebuild);
  rebuild();
}

void FilterBar::rebuild() {
  while (QLayoutItem *item = m_chips->takeAt(0)) {
    // A click on it may be what led here.
    item->widget()->deleteLater();
    item->widget()->hide();
    delete item;
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
    m_chips->addWidget(button);
  }
  setVisible(!chips.empty());
}

} // namespace jitscope::ui
