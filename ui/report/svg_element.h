// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QByteArray>
#include <QString>

#include <string>
#include <vector>

/// SVG as elements in memory, as far as QSvgGenerator writes it.
namespace jitscope::charts {

struct SvgAttribute {
  QString name; ///< with its prefix
  QString value;
  friend bool operator==(const SvgAttribute &, const SvgAttribute &) = default;
};

struct SvgElement {
  QString name;
  std::vector<SvgAttribute> attributes = {};
  QString text = {}; ///< of elements without children
  std::vector<SvgElement> children = {};

  /// "" if there is none.
  [[nodiscard]] QString attribute(const char *wanted) const;
  /// Removes it, where there is one.
  void remove(const char *unwanted);
};

/// Internal where it is no SVG.
[[nodiscard]] base::Result<SvgElement> readSvg(const QByteArray &text);
[[nodiscard]] std::string writeSvg(const SvgElement &root);

} // namespace jitscope::charts
