// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/inlined_callees.h"

#include "analysis/code/ir_text.h"
#include "analysis/compiles/remark_arguments.h"
#include "analysis/query/function_path.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace jitscope::analysis {

namespace {

/// As lowering makes the beginning of a symbol from a script function's name.
std::string sanitized(std::string_view name) {
  constexpr std::size_t kLongest = 60;
  std::string text(name.substr(0, kLongest));
  std::ranges::replace_if(text, [](unsigned char letter) { return letter >= 0x80 || std::isalnum(letter) == 0; }, '_');
  return text;
}

base::FunctionId functionOf(const std::string &symbol, const event::CompileEvent &compile,
                            const std::vector<event::FunctionEvent> &functions) {
  if (symbol.empty()) {
    return {};
  }
  const auto named = std::ranges::find(functions, symbol, &event::FunctionEvent::symbol);
  if (named != functions.end()) {
    return named->id;
  }
  const auto spoken = std::ranges::find_if(
      compile.remarks, [&symbol](const event::Remark &remark) { return remark.function == symbol && remark.functionId.isValid(); });
  if (spoken != compile.remarks.end()) {
    return spoken->functionId;
  }
  const std::string stem = withoutSymbolHash(symbol);
  for (const event::FunctionWork &work : compile.work) {
    const auto known = std::ranges::find(functions, work.functionId, &event::FunctionEvent::id);
    if (known != functions.end() && stem != symbol && sanitized(known->name) == stem) {
      return known->id;
    }
  }
  return {};
}

} // namespace

std::set<base::FunctionId> inlinedCallees(const event::CompileEvent &compile, base::FunctionId caller,
                                          const std::vector<event::FunctionEvent> &functions) {
  std::set<base::FunctionId> callees;
  for (const event::Remark &remark : remarksOf(compile, caller)) {
    if (remark.pass != "inline" || remark.kind != event::RemarkKind::Passed) {
      continue;
    }
    const base::FunctionId callee = functionOf(argumentOf(remark, "Callee"), compile, functions);
    if (callee.isValid() && callee != caller) {
      callees.insert(callee);
    }
  }
  return callees;
}

} // namespace jitscope::analysis
