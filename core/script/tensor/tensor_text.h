// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/numbers/number.h"
#include "graph/tensor.h"

#include <string>
#include <variant>

namespace jitscope::script {

/// One element as Lua has it.
using Element = std::variant<bool, std::int64_t, double>;
/// Its value; a boolean is 0 or 1.
graph::Number numberOf(const Element &element);
/// The element at the row-major place `index`.
Element elementAt(const graph::Tensor &tensor, std::int64_t index);
/// "true", "3", "0.5", "nan".
std::string textOf(const Element &element);
/// The same; floats in as few digits as tell them apart in the tensor's dtype.
std::string elementText(const graph::Tensor &tensor, std::int64_t index);

/// Type and first elements: `f32[64,64] {{0, 1, 2, ...}, ...}`; `s64[] 3` for a scalar. Any thread.
std::string headOf(const graph::Tensor &tensor);

} // namespace jitscope::script
