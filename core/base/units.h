// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

/// Numbers as people read them: three significant digits and a unit that fits.
namespace jitscope::base {

/// Nanoseconds as "812 ns", "1.23 µs", "45.6 ms", "7.89 s" or "12.3 min".
std::string formatDuration(double ns);
/// The same of a whole number of nanoseconds.
inline std::string formatNs(std::uint64_t ns) { return formatDuration(static_cast<double>(ns)); }
/// Bytes as "812 B", "1.23 KiB", "45.6 MiB"…
std::string formatBytes(std::uint64_t bytes);
/// A count with thousands separators: "1,234,567".
std::string formatCount(std::uint64_t count);
/// A rate a second as Benchee writes it: "812", "1.23 K", "45.6 M", "7.89 G".
std::string formatRate(double perSecond);
/// A part of a whole, 0 to 1; 0 of nothing.
double shareOf(std::uint64_t part, std::uint64_t whole);
/// A share as "12.3 %"; "100 %" and "0 %" only for exact values.
std::string formatShare(double share);

} // namespace jitscope::base
