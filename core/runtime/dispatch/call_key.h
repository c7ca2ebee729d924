// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/hash.h"
#include "base/ids.h"
#include "script/host.h"

#include <cstdint>
#include <span>

namespace jitscope::runtime {

/// What a template keeps of its arguments.
enum class TemplateMode : std::uint8_t {
  Exact, ///< dtype and shape
  Rank   ///< dtype and rank; sizes are values at run time
};

/// The key that a call is looked up by: function, compile options (`optionsKey`, a hash of their text) and the template of the
/// arguments. Allocates nothing for up to eight or so arguments; a part of every call.
base::Hash128 callKeyOf(base::FunctionId function, std::uint64_t optionsKey, TemplateMode mode,
                        std::span<const script::Argument> arguments);

/// The template itself, for the rarer paths.
graph::Template templateOf(TemplateMode mode, std::span<const script::Argument> arguments);

} // namespace jitscope::runtime
