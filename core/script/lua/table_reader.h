// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/shape.h"
#include "script/tensor/tensor_text.h"

#include <vector>

struct lua_State;

namespace jitscope::script {

/// A nested table of numbers and booleans, as `tensor` and `expect.equal` take it.
struct TableContents {
  graph::Shape shape;
  std::vector<Element> elements; ///< row-major

  /// The dtype that holds them as they are: pred for booleans, s64 for whole numbers, f32 for all others and for none.
  [[nodiscard]] graph::DType naturalDType() const;
};

/// Reads the table, number or boolean at `index`. Raises ScriptArgument for ragged rows, holes, too many levels and other values.
TableContents readTable(lua_State *lua, int index);

} // namespace jitscope::script
