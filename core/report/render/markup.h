// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace jitscope::report {

/// Text for the content or a quoted attribute of XML or HTML: markup is escaped, and what XML 1.0 cannot hold (control characters,
/// bytes that are no UTF-8) is written as escapes that can be read. Line feeds and tabs stay.
std::string escapeMarkup(std::string_view text);

/// A path as a relative reference of a URI (RFC 3986): everything but unreserved characters and slashes percent-encoded.
std::string encodeUri(std::string_view path);

} // namespace jitscope::report
