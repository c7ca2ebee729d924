// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "script/host.h"
#include "script/trace/static_value.h"
#include "script/trace/variable_slot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

struct lua_State;

/// Values that a traced body read from outside are constants of its code. These classes remember them and notice when the script
/// changes them later.
namespace jitscope::script {

/// A number, string, boolean or nil as Lua has it.
using PlainValue = std::variant<std::monostate, bool, graph::Number, std::string>;

/// The outside variables that a function, or a Lua function that it reaches, reads: upvalues, globals, and fields of tables by
/// constant names. Variables that the function itself assigns, and fields by computed names, are not included. Its Lua values are
/// on a Lua thread of its own. May be dropped on any thread and after the state is closed.
class OutsideReads {
public:
  /// Those of the Lua function at `index`. Raises errors of memory.
  static std::shared_ptr<const OutsideReads> of(lua_State *lua, int index);
  ~OutsideReads();
  OutsideReads(const OutsideReads &) = delete;
  OutsideReads &operator=(const OutsideReads &) = delete;

  /// Whether the same Lua functions are reached as when it was made.
  [[nodiscard]] bool isCurrent() const;
  /// The value of a read, with its memory where that can be compared without Lua.
  struct Value {
    std::uint32_t place = 0; ///< of the read
    PlainValue value;
    std::optional<VariableSlot> slot = {};
    PlainBits bits = {}; ///< in the slot
  };
  using Values = std::vector<Value>;
  /// The reads that have a plain value now, by their places. Raises errors of memory.
  [[nodiscard]] Values values(lua_State *lua) const;
  /// Whether the read at `place` still has this value, or no plain one. Takes some nanoseconds.
  [[nodiscard]] bool stillHas(std::uint32_t place, const PlainValue &value) const;
  /// The value that it has now.
  [[nodiscard]] PlainValue valueOf(std::uint32_t place) const;
  /// "pos", "config.scale".
  [[nodiscard]] const std::string &nameOf(std::uint32_t place) const { return m_reads[place].name; }

private:
  friend class OutsideReadsFinder;
  struct Read {
    int function = 0;      ///< slot of the function that reads
    int upvalue = 0;       ///< of that function
    std::vector<int> keys; ///< slots of the names of fields
    int callee = 0;        ///< slot of the Lua function that it gave; 0: none
    std::string name;
  };
  OutsideReads() = default;
  int push(const Read &read) const;
  void addSlot(lua_State *lua, Value &value) const;

  std::shared_ptr<StaticReferences> m_references;
  int m_reference = 0;
  lua_State *m_thread = nullptr; ///< slots are places on its stack
  int m_top = 0;                 ///< the last slot
  std::vector<Read> m_reads;
  int m_pins = 0; ///< slot of a table with the strings whose addresses are compared; 0: memory is not compared
};

/// What one graph has frozen: what its function read, and its callees.
class LuaFrozenValues final : public FrozenValues {
public:
  struct Part {
    std::string function;
    std::shared_ptr<const OutsideReads> reads;
    OutsideReads::Values values;
  };
  /// `own` may be empty. Null where there is nothing at all.
  static std::shared_ptr<const LuaFrozenValues> join(Part own, const std::vector<std::shared_ptr<const FrozenValues>> &callees);

  [[nodiscard]] const std::string &function() const { return m_function; }
  /// What the script has changed since, as "pos = 0 (now 3)"; "" while nothing.
  [[nodiscard]] std::string changes() const;
  /// The names of the variables that have changed, as "pos and mode".
  [[nodiscard]] std::string changedNames() const;
  [[nodiscard]] bool hasChanged() const;

private:
  /// A value of a part, for the comparison at a hit.
  struct Entry {
    std::optional<VariableSlot> slot;
    PlainBits bits;
    const Part *part;
    const OutsideReads::Value *value;
    [[nodiscard]] bool hasChanged();
  };
  void prepare();
  template <typename Visit> void visitChanged(Visit visit) const;

  std::string m_function;
  std::vector<std::shared_ptr<const Part>> m_parts; ///< each once
  mutable std::vector<Entry> m_entries;             ///< hits find out where variables are; the script's thread alone asks
};

/// After a call of `function` was served by code that has `frozen` (null: nothing): warns, once for each function, where the script
/// has changed a value since. The warning is a row of the session's log and says where the call was.
void warnOfFrozenValues(lua_State *lua, base::FunctionId function, const FrozenValues *frozen);

} // namespace jitscope::script
