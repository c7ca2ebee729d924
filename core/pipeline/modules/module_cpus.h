// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "lower/target.h"
#include "pipeline/modules/module_symbols.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace jitscope::pipeline {

/// A function of a study with the CPU that it says it is for.
struct FunctionCpu {
  std::string name; ///< for people
  OwnCpu own;
};

/// Which CPU the functions of a study are compiled for. A requested CPU applies to all. Otherwise functions keep the CPU that they
/// name. The rest take that CPU if all names agree, or else this machine's.
class ModuleCpus {
public:
  /// `asked` is "native" or a CPU's name. CompileTarget for a triple or an asked CPU that LLVM does not know.
  static base::Result<ModuleCpus> choose(const std::string &triple, const std::string &asked,
                                         const std::vector<FunctionCpu> &functions);

  /// What functions that name nothing are compiled for.
  [[nodiscard]] const lower::TargetSpec &target() const { return m_target; }
  /// CPU and features in words; where they differ, with the functions that each is for.
  [[nodiscard]] const std::string &description() const { return m_description; }
  /// The features that the CPU's name does not imply; empty where functions differ, and the description has them.
  [[nodiscard]] const std::string &features() const { return m_features; }
  /// What a reader should know about it.
  [[nodiscard]] const std::vector<std::string> &notes() const { return m_notes; }

  /// Sets the attributes of a function that was read again.
  void apply(llvm::Function &function) const;

private:
  ModuleCpus() = default;
  void describe(const std::vector<FunctionCpu> &functions);
  [[nodiscard]] lower::TargetSpec targetOf(const OwnCpu &own) const;

  lower::TargetSpec m_target;
  std::optional<std::string> m_tune; ///< what the others are tuned for, where that is one
  bool m_overrides = false;
  std::string m_description;
  std::string m_features;
  std::vector<std::string> m_notes;
};

} // namespace jitscope::pipeline
