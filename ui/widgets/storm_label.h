// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/recompile_storms.h"
#include "ui/widgets/tables/link_label.h"

#include <vector>

namespace jitscope::ui {

/// Points the most expensive recompile storm out; invisible without any.
class StormLabel : public LinkLabel {
public:
  enum class Advice : std::uint8_t {
    Given, ///< what to do about it stands there
    Linked ///< a link leads to where it does
  };

  StormLabel(Advice advice, QWidget *parent);

  void setStorms(const std::vector<analysis::RecompileStorm> &storms);

private:
  Advice m_advice;
};

/// The sentence about a storm, as HTML.
[[nodiscard]] QString stormSentence(const analysis::RecompileStorm &storm);
/// What to do about it, as HTML; empty where nothing is known to help.
[[nodiscard]] QString stormAdvice(const analysis::RecompileStorm &storm);

} // namespace jitscope::ui
