// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "lower/target.h"
#include "pipeline/modules/module_cpus.h"
#include "pipeline/modules/module_files.h"
#include "pipeline/modules/module_pruning.h"
#include "pipeline/pipeline.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class TargetLibraryInfoImpl;
} // namespace llvm

namespace jitscope::pipeline {

/// Modules from elsewhere, put in order: who defines what, who needs whom, what for. Made once; read into a fresh context for every
/// compile.
class ModuleProgram {
public:
  struct Options {
    std::string root;           ///< a symbol, or a function's name as people write it; empty: the one that nothing refers to
    std::string triple;         ///< empty: the modules' own, or this machine's
    std::string cpu = "native"; ///< what `ModuleCpus` takes from the functions; a name otherwise, which decides for all
  };
  /// Gives the id of a function, which has a name for people and a symbol.
  using Announce = std::function<base::FunctionId(const std::string &name, const std::string &symbol)>;

  /// Reads the files and puts what the root reaches in order. CompileInput for two definitions of one symbol, an unknown root (the
  /// message offers the nearest names), several possible roots (the message lists them), and modules for different targets.
  static base::Result<ModuleProgram> open(const std::vector<std::string> &paths, const Options &options, const Announce &announce);

  /// What the root reaches of the modules, in `context`, callees before callers, for `machine`'s target.
  [[nodiscard]] base::Result<PipelineInput> read(llvm::LLVMContext &context, const llvm::TargetMachine &machine) const;

  /// Sentences on the calls that LLVM inlines under no pipeline because of attributes. Reads the modules once more; errors as
  /// `read`.
  [[nodiscard]] base::Result<std::vector<std::string>> inlineRefusals(llvm::TargetMachine &machine,
                                                                      const llvm::TargetLibraryInfoImpl &library) const;

  [[nodiscard]] const lower::TargetSpec &target() const { return m_cpus->target(); }
  [[nodiscard]] const ModuleCpus &cpus() const { return *m_cpus; }
  [[nodiscard]] base::FunctionId root() const { return m_root; }
  [[nodiscard]] const std::string &rootName() const { return m_rootName; }
  [[nodiscard]] std::size_t functionCount() const;
  /// What a reader of the result should know, in the order in which it was found.
  [[nodiscard]] const std::vector<std::string> &notes() const { return m_notes; }

private:
  /// Files that are compiled as one: usually a single one, several where they need each other.
  struct Group {
    std::vector<std::size_t> files;
    std::vector<UnitFunction> functions;
    base::FunctionId id;
  };

  ModuleProgram() = default;

  std::vector<ModuleFile> m_files;
  std::vector<ModulePlan> m_plans; ///< one for each file
  std::vector<Group> m_groups;     ///< callees before callers
  std::vector<std::string> m_exported;
  std::optional<ModuleCpus> m_cpus; ///< always there once it is open
  base::FunctionId m_root;
  std::string m_rootName;
  std::vector<std::string> m_notes;

  friend class ModulePlanner;
};

} // namespace jitscope::pipeline
