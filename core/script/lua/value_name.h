// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace jitscope::script {

/// What messages call a value of a call. Spelled out only when there is a message: calls are made millions of times.
struct ValueName {
  enum class Kind : std::uint8_t {
    CallArgument, ///< argument 2 of dot
    Operand,      ///< add: operand 2
    OnlyOperand,  ///< exp: the operand
    Result,       ///< result 1 of dot
  };
  Kind kind = Kind::CallArgument;
  std::string_view owner; ///< outlived by the name
  int position = 1;       ///< from 1, as people count

  [[nodiscard]] std::string text() const {
    switch (kind) {
    case Kind::CallArgument:
      return fmt::format("argument {} of {}", position, owner);
    case Kind::Operand:
      return fmt::format("{}: operand {}", owner, position);
    case Kind::OnlyOperand:
      return fmt::format("{}: the operand", owner);
    case Kind::Result:
      return fmt::format("result {} of {}", position, owner);
    }
    return {};
  }
};

} // namespace jitscope::script
