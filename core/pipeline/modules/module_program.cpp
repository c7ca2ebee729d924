// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/module_program.h"

#include "base/try.h"
#include "pipeline/modules/inline_refusals.h"
#include "pipeline/modules/module_linking.h"
#include "pipeline/modules/module_planner.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::pipeline {

using base::Result;

Result<ModuleProgram> ModuleProgram::open(const std::vector<std::string> &paths, const Options &options, const Announce &announce) {
  return ModulePlanner(options, announce).plan(paths);
}

std::size_t ModuleProgram::functionCount() const {
  std::size_t count = 0;
  for (const Group &group : m_groups) {
    count += group.functions.size();
  }
  return count;
}

Result<PipelineInput> ModuleProgram::read(llvm::LLVMContext &context, const llvm::TargetMachine &machine) const {
  PipelineInput input;
  std::vector<std::string> messages; // said and noted when the program was opened
  for (const Group &group : m_groups) {
    Unit unit(group.id, group.functions.empty() ? m_files[group.files.front()].path : group.functions.front().symbol,
              group.functions, nullptr);
    for (const std::size_t file : group.files) {
      JITSCOPE_TRY(std::unique_ptr<llvm::Module> module, readModule(m_files[file], context, messages));
      module->setTargetTriple(target().triple);
      module->setDataLayout(machine.createDataLayout());
      applyPlan(*module, m_plans[file]);
      for (llvm::Function &function : *module) {
        if (!function.isIntrinsic()) {
          m_cpus->apply(function);
        }
      }
      if (!unit.module) {
        unit.module = std::move(module);
      } else {
        JITSCOPE_TRY_VOID(linkInto(*unit.module, std::move(module)));
      }
    }
    input.units.push_back(std::move(unit));
  }
  input.exported = m_exported;
  return input;
}

Result<std::vector<std::string>> ModuleProgram::inlineRefusals(llvm::TargetMachine &machine,
                                                               const llvm::TargetLibraryInfoImpl &library) const {
  llvm::LLVMContext context;
  JITSCOPE_TRY(const PipelineInput input, read(context, machine));
  return pipeline::inlineRefusals(input.units, machine, library);
}

} // namespace jitscope::pipeline
