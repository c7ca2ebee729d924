// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/lowering.h"
#include "support/scripts/reference_evaluator.h"

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace jitscope::testing {

/// How a test wants its graph compiled.
struct HarnessOptions {
  lower::LowerOptions lower = {};
  bool linksFunctions = true; ///< all functions in one module; otherwise each in an object of its own
};

/// A graph compiled by the shortest way from lowering to machine code: LLVM's default pipeline and LLJIT.
class CompiledGraph {
public:
  /// Fails the way lowering does; what goes wrong behind it is an Internal error.
  static base::Result<std::unique_ptr<CompiledGraph>> compile(const std::shared_ptr<const graph::Graph> &root,
                                                              const HarnessOptions &options = {});
  ~CompiledGraph();
  CompiledGraph(const CompiledGraph &) = delete;
  CompiledGraph &operator=(const CompiledGraph &) = delete;

  /// One call. The memory behind every buffer is checked: an error says which one was written past its end.
  [[nodiscard]] base::Result<std::vector<ReferenceArray>> run(const std::vector<ReferenceArray> &inputs) const;

  using Entry = void (*)(const void *const *inputs, void *const *outputs, void *scratch, const std::int64_t *sizes);
  /// The compiled wrapper itself, for measurements.
  [[nodiscard]] Entry entry() const;

  /// The linked module before and after optimization, as text.
  [[nodiscard]] const std::string &irBefore() const;
  [[nodiscard]] const std::string &irAfter() const;

private:
  struct State;
  explicit CompiledGraph(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

/// LLVM's default pipeline at the level the options ask for.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, const lower::CompileOptions &options);

/// The module as text.
std::string textOf(const llvm::Module &module);

/// Lowers a graph and runs it on the inputs; compares with the reference. "" when they agree, otherwise what went wrong.
std::string checkAgainstReference(const std::shared_ptr<const graph::Graph> &root, const std::vector<ReferenceArray> &inputs,
                                  const HarnessOptions &options = {}, double ulps = 0);

} // namespace jitscope::testing
