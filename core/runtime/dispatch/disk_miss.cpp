// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/disk_miss.h"

#include "cache/template_difference.h"

#include <tuple>
#include <utility>

namespace jitscope::runtime {

using cache::MissExplanation;
using event::MissReason;

namespace {

std::optional<DiskMiss> nearestOfFunction(const jit::DiskCache &disk, const jit::DiskKey &wanted, const jit::DiskOrigin &origin) {
  struct Candidate {
    cache::TemplateDifference tmpl;
    jit::KeyDifference key;
  };
  std::optional<Candidate> nearest;
  const auto rank = [](const Candidate &candidate) {
    return std::tuple(candidate.tmpl.distance, candidate.key.fields, candidate.key.isOtherTarget);
  };
  for (const jit::DiskSummary &known : disk.entriesOf(origin.function)) { // latest first
    Candidate candidate{cache::differenceBetween(known.origin.tmpl, origin.tmpl), differenceBetween(known.key, wanted)};
    if (candidate.tmpl.distance > 0 && (!nearest || rank(candidate) < rank(*nearest))) {
      nearest = std::move(candidate);
    }
  }
  if (!nearest) {
    return std::nullopt;
  }
  DiskMiss miss{nearest->tmpl.reason, std::move(nearest->tmpl.text), false};
  miss.difference += (nearest->key.text.empty() ? "" : "; ") + nearest->key.text;
  return miss;
}

} // namespace

std::optional<DiskMiss> explainDiskMiss(const jit::DiskLookup &found, const jit::DiskCache &disk, const jit::DiskKey &wanted,
                                        const jit::DiskOrigin &origin, bool searchesFunction) {
  switch (found.problem) {
  case jit::DiskProblem::Corrupt:
    return DiskMiss{MissReason::DiskCorrupt, found.detail, true};
  case jit::DiskProblem::OtherOptions:
    return DiskMiss{MissReason::Options, found.detail, true};
  case jit::DiskProblem::OtherTarget:
    return DiskMiss{MissReason::DiskOtherTarget, found.detail, true};
  case jit::DiskProblem::Absent:
    break;
  }
  return searchesFunction ? nearestOfFunction(disk, wanted, origin) : std::nullopt;
}

MissExplanation withDiskMiss(MissExplanation inMemory, const std::optional<DiskMiss> &onDisk, base::TemplateId templateId) {
  if (!onDisk) {
    return inMemory;
  }
  const bool hadTemplate =
      inMemory.reason == MissReason::Evicted || inMemory.reason == MissReason::Cleared || inMemory.reason == MissReason::Options;
  const bool isBetter = onDisk->reason == MissReason::DiskCorrupt ||
                        (onDisk->isSameTemplate ? !hadTemplate : inMemory.reason == MissReason::NewFunction);
  if (!isBetter) {
    return inMemory;
  }
  // The other reasons say themselves that they speak of the disk.
  const bool isNamed = onDisk->reason == MissReason::DiskCorrupt || onDisk->reason == MissReason::DiskOtherTarget;
  return {onDisk->reason, onDisk->isSameTemplate ? templateId : base::TemplateId(),
          onDisk->difference + (isNamed ? "" : " (disk)")};
}

} // namespace jitscope::runtime
