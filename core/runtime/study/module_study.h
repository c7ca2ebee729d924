// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "lower/compile_options.h"
#include "pipeline/observe/observation.h"
#include "runtime/study/study_compiles.h"
#include "script/host.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::runtime {

class IdRegistry;

/// Modules from elsewhere and what to make of them.
struct ModuleStudyRequest {
  script::ModuleSet modules;          ///< paths as this process finds them
  std::vector<std::string> pipelines; ///< in the order of the table; empty: all
  std::uint32_t repetitions = 5;
  lower::CompileOptions options; ///< those of the pipelines aside
  pipeline::Observation observation;
  base::SectionId section;
  int line = 0; ///< of the script; 0: none
};

/// Reads modules and puts them in order, as `studyModules` does at first, and compiles nothing. The same errors, and may crash as
/// well.
base::Result<void> checkModules(const ModuleStudyRequest &request);

/// Studies modules in this process, which whatever is malformed in them may crash. CompileInput for modules that cannot be read or
/// put in order; else as `Host::study`. `options.cpu` other than "native" goes before what the functions say themselves.
base::Result<std::vector<script::StudyPipeline>> studyModules(const ModuleStudyRequest &request, StudyCompiles::Services services);

/// Studies modules in a fresh process: LLVM's readers and optimizer may crash on what they are given. The engine knows only this;
/// how processes are made is the application's business.
class ModuleStudyLauncher {
public:
  virtual ~ModuleStudyLauncher() = default;
  /// As `Host::study`, after everything that was recorded has gone to the sink of this run. RuntimeProcess when the process could
  /// not be started, crashed or failed; the message says what it was doing. Called on the script's thread.
  virtual base::Result<std::vector<script::StudyPipeline>> launch(const ModuleStudyRequest &request, IdRegistry &ids) = 0;
};

} // namespace jitscope::runtime
