// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "lower/compile_options.h"
#include "pipeline/observe/observation.h"

#include <cstdint>
#include <string>
#include <vector>

/// What studies of graphs and of modules share.
namespace jitscope::runtime {

/// The pipelines that a study compares: those that were named, in that order, or all. RuntimeOption for an unknown one (all are
/// offered) and for one that is named twice.
base::Result<std::vector<std::string>> studiedPipelines(const std::vector<std::string> &named);

/// What is recorded of a study's compile in detail: at least passes, fingerprints, the stages' IR and some remarks.
pipeline::Observation inDetail(pipeline::Observation observation);

/// The options that all pipelines of a study have in common, as one line.
std::string optionsWithoutPipeline(const lower::CompileOptions &options);

/// Adds the time of a study's compile to those of its pipeline: the one in detail (repetition 0) stands only until there is a timed
/// one.
void addCompileTime(std::vector<double> &timesNs, std::uint32_t repetition, std::uint64_t ns);

/// The median of values in any order; 0 for none.
double medianOf(std::vector<double> values);

} // namespace jitscope::runtime
