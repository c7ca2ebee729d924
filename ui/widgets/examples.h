// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace jitscope::ui {

struct Example {
  QString path;
  QString title;   ///< "Recompile storm"
  QString summary; ///< the first sentence of its opening comment
};

/// The graph scripts that come with Jitscope: beside the program where it was installed, or in the source tree where it was built.
[[nodiscard]] std::vector<Example> findExamples();

/// The title and the first sentence of what a script says of itself.
[[nodiscard]] Example describeExample(const QString &path, const QString &text);

} // namespace jitscope::ui
