// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/lua/near_name.h"

#include <algorithm>

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

namespace jitscope::script {

std::string_view nearestName(std::string_view name, std::span<const std::string_view> known) {
  // A third of the letters may be wrong; with more the guess is no help.
  const auto allowed = static_cast<unsigned>(std::clamp<std::size_t>(name.size() / 3, 1, 3));
  unsigned best = allowed + 1;
  std::string_view nearest;
  for (const std::string_view candidate : known) {
    const unsigned distance = llvm::StringRef(name).edit_distance(llvm::StringRef(candidate), /*AllowReplacements=*/true, allowed);
    // Equal distances: the alphabet decides, so that messages do not depend on the order of a hash table.
    if (distance < best || (distance == best && best <= allowed && candidate < nearest)) {
      best = distance;
      nearest = candidate;
    }
  }
  return best <= allowed && name.size() > 1 ? nearest : std::string_view();
}

std::string suggestionFor(std::string_view name, std::span<const std::string_view> known) {
  const std::string_view nearest = nearestName(name, known);
  return nearest.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", nearest);
}

} // namespace jitscope::script
