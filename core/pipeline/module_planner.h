// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "pipeline/module_program.h"
#include "pipeline/module_symbols.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace jitscope::pipeline {

/// Puts modules in order for `ModuleProgram`: reads each once and keeps what its symbols say.
class ModulePlanner {
public:
  ModulePlanner(const ModuleProgram::Options &options, const ModuleProgram::Announce &announce)
      : m_options(options), m_announce(announce) {}

  base::Result<ModuleProgram> plan(const std::vector<std::string> &paths);

private:
  base::Result<void> readAll(const std::vector<std::string> &paths);
  base::Result<void> chooseTarget();
  base::Result<void> findHomes();
  base::Result<void> findRoot();
  base::Result<void> findNamedRoot();
  base::Result<void> findOnlyRoot();
  void orderGroups();
  void announceFunctions();
  void noteWeaknesses();

  const ModuleProgram::Options &m_options;
  const ModuleProgram::Announce &m_announce;
  ModuleProgram m_program;
  std::vector<ModuleSymbols> m_modules;                   ///< one for each file
  std::map<std::string, std::size_t, std::less<>> m_home; ///< file that defines a symbol, of those visible from outside
  std::vector<std::vector<std::size_t>> m_needs;          ///< files that a file needs
  std::vector<bool> m_isIncluded;
  std::size_t m_rootFile = 0;
  std::string m_rootSymbol;
};

} // namespace jitscope::pipeline
