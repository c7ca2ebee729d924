// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "pipeline/object_code.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace jitscope::jit {

/// How an executable is entered. `inputs`: parameters, then captures; `outputs`: one buffer for each result; `scratch`: as many
/// bytes as its plan says; `sizes`: only read by code that was made for unknown sizes.
using EntryFunction = void (*)(const void *const *inputs, void *const *outputs, void *scratch, const std::int64_t *sizes);

/// Machine code in this process. The destructor unmaps it: no thread may be running it then.
class LinkedCode {
public:
  virtual ~LinkedCode() = default;
  [[nodiscard]] virtual EntryFunction entry() const = 0;
};

/// Links objects into the process, each group separately, so it can be removed again. Members may be called from any thread.
/// Outlives every LinkedCode that it made.
class CodeLinker {
public:
  /// CompileLink when the process cannot hold generated code, or glibc's vector math library is missing.
  static base::Result<std::unique_ptr<CodeLinker>> create();
  ~CodeLinker();
  CodeLinker(const CodeLinker &) = delete;
  CodeLinker &operator=(const CodeLinker &) = delete;

  /// Code for `entrySymbol`, with whatever the objects need from each other and from the libraries at run time (CBLAS, libm,
  /// libmvec). CompileLink names the symbols that nobody has.
  base::Result<std::unique_ptr<LinkedCode>> link(std::span<const pipeline::ObjectCode> objects, const std::string &entrySymbol);

private:
  struct State;
  explicit CodeLinker(std::shared_ptr<State> state);
  std::shared_ptr<State> m_state;
};

} // namespace jitscope::jit
