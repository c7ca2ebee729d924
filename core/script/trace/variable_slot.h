// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

struct lua_State;

namespace jitscope::script {

/// A number, string, boolean or nil by its bits: 1 and 1.0 differ, a NaN equals itself. Strings with equal bits are equal while one
/// of them is kept alive.
struct PlainBits {
  std::uint64_t bits = 0; ///< of a number, or the address of a string
  std::uint8_t tag = 0;   ///< its type, as Lua 5.4 counts types and their variants

  friend bool operator==(const PlainBits &, const PlainBits &) = default;
};

/// The memory of a variable of Lua's: an upvalue, or a field of tables that starts at one. A hit compares frozen values, and there
/// a call of Lua's API costs some ten nanoseconds, so this reads the memory directly. Lua's header files do not promise its layout:
/// `isReadable` verifies it. Valid while the function whose upvalue it is lives.
class VariableSlot {
public:
  /// `upvalueId` is of `lua_upvalueid`; `keys` are the addresses of the names of fields, outermost first, which must stay alive.
  VariableSlot(const void *upvalueId, const std::vector<const void *> &keys);

  /// Whether the variable has this value now. False may also mean that its tables have changed: `locate` then finds it again. Takes
  /// a few nanoseconds.
  [[nodiscard]] bool holds(const PlainBits &value) const;
  /// Finds the variable in the tables on the way to it. Looks through those that have changed since the last time.
  void locate();
  /// The value that it has now, once it is located; empty for a value of another kind, and where there is no such field.
  [[nodiscard]] std::optional<PlainBits> read() const;

  /// Whether this Lua lays out its values as this class expects. Raises errors of memory.
  [[nodiscard]] static bool isReadable(lua_State *lua);

private:
  /// A field of a table: which entry of its hash it was found in.
  struct Field {
    const void *key = nullptr;
    const std::byte *table = nullptr;
    const std::byte *entries = nullptr;
    std::uint8_t logOfSize = 0;       ///< of the entries
    const std::byte *entry = nullptr; ///< null: the table had no such field
    [[nodiscard]] bool isOf(const std::byte *value) const;
    [[nodiscard]] bool isFound() const;
    void findIn(const std::byte *value);
  };
  [[nodiscard]] const std::byte *value() const;

  const std::byte *m_upvalue;
  std::vector<Field> m_fields;
};

} // namespace jitscope::script
