// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace jitscope::test {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kHasAddressSanitizer = true;
#else
constexpr bool kHasAddressSanitizer = false;
#endif

#ifdef __SANITIZE_THREAD__
constexpr bool kHasThreadSanitizer = true;
#else
constexpr bool kHasThreadSanitizer = false;
#endif

/// Whether the tests and the command are built with a sanitizer: all takes several times as long.
constexpr bool kIsSanitized = kHasAddressSanitizer || kHasThreadSanitizer;

} // namespace jitscope::test
