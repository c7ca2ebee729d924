// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/emit/debug_info.h"

#include <algorithm>
#include <filesystem>

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace jitscope::lower {

namespace {

constexpr unsigned kDwarfVersion = 5;

llvm::DICompileUnit *existingUnit(llvm::Module &module) {
  const auto units = module.debug_compile_units();
  return units.begin() == units.end() ? nullptr : *units.begin();
}

} // namespace

DebugInfo::DebugInfo(llvm::Module &module, llvm::Function &function, const std::string &scriptPath, const std::string &name,
                     int line) {
  llvm::DICompileUnit *unit = existingUnit(module);
  llvm::DIBuilder builder(module, true, unit);
  const std::filesystem::path path(scriptPath);
  llvm::DIFile *file = builder.createFile(path.filename().string(), path.parent_path().string());
  if (unit == nullptr) {
    builder.createCompileUnit(llvm::dwarf::DW_LANG_C, file, "jitscope", true, "", 0, "",
                              llvm::DICompileUnit::DebugEmissionKind::LineTablesOnly);
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", kDwarfVersion);
  }
  const auto scriptLine = static_cast<unsigned>(std::max(line, 0));
  m_subprogram = builder.createFunction(
      file, name, function.getName(), file, scriptLine, builder.createSubroutineType(builder.getOrCreateTypeArray({})), scriptLine,
      llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function.setSubprogram(m_subprogram);
  builder.finalize();
}

llvm::DebugLoc DebugInfo::at(int line) const {
  return llvm::DILocation::get(m_subprogram->getContext(), static_cast<unsigned>(std::max(line, 0)), 0, m_subprogram);
}

} // namespace jitscope::lower
