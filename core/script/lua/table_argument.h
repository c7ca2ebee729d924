// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct lua_State;

namespace jitscope::script {

/// The one table that a script function takes: a list and some named fields, as in `study{f, a, pipelines={…}}`. Members raise
/// ScriptArgument in the form "study: …".
class TableArgument {
public:
  /// The table at `index`; `example` is offered if there is none.
  TableArgument(lua_State *lua, int index, const char *function, const char *example);

  [[noreturn]] void refuse(const std::string &problem) const;

  /// Length of the list.
  [[nodiscard]] std::int64_t size() const;
  [[nodiscard]] int index() const { return m_table; }
  /// Refuses fields that are not among `fields`, and lists with holes, with `holeProblem`.
  void checkFields(std::span<const std::string_view> fields,
                   const char *holeProblem = "the list has a hole (is one of its values nil?)") const;
  /// Pushes a field; whether it is there. An absent one leaves nothing on the stack.
  bool pushField(const char *name) const;
  /// A text that is not empty; "" where the field is absent.
  [[nodiscard]] std::string text(const char *name) const;

private:
  lua_State *m_lua;
  int m_table;
  const char *m_function;
};

} // namespace jitscope::script
