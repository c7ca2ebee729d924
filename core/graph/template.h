// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/shape.h"

#include <string>
#include <variant>
#include <vector>

namespace jitscope::graph {

/// An argument that is no tensor: a string, a boolean, nil, a table or a function. Its value is part of the template.
/// `text` is a canonical spelling, e.g. `"relu"`, `true`, `{axes={0,1}}`; equal values have equal texts.
struct StaticValue {
  std::string text;
  friend bool operator==(const StaticValue &, const StaticValue &) = default;
};

using ArgumentType = std::variant<TensorType, StaticValue>;

/// The argument signature that one executable serves.
struct Template {
  std::vector<ArgumentType> arguments;
  friend bool operator==(const Template &, const Template &) = default;
};

/// "f32[64,64], f32[64,64]"; static values as they are spelled.
std::string signatureOf(const Template &tmpl);

/// The template with every size unknown: what `template="rank"` keys on.
Template withDynamicSizes(const Template &tmpl);

} // namespace jitscope::graph
