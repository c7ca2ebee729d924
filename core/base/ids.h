// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace jitscope::base {

/// A number with a type of its own: ids of different kinds do not convert to each other. 0 means "none"; real ids count from 1, as
/// in the session's tables.
template <typename Tag, typename Rep = std::uint32_t> struct Id {
  Rep value = 0;

  constexpr Id() = default;
  constexpr explicit Id(Rep number) : value(number) {}
  [[nodiscard]] constexpr bool isValid() const { return value != 0; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using FunctionId = Id<struct FunctionTag>;
using TemplateId = Id<struct TemplateTag>;
using SectionId = Id<struct SectionTag>;
using CaseId = Id<struct CaseTag>;
using CallId = Id<struct CallTag, std::uint64_t>;
using CompileId = Id<struct CompileTag>;
using StudyId = Id<struct StudyTag>;

} // namespace jitscope::base

template <typename Tag, typename Rep> struct std::hash<jitscope::base::Id<Tag, Rep>> {
  std::size_t operator()(jitscope::base::Id<Tag, Rep> id) const noexcept { return std::hash<Rep>{}(id.value); }
};
