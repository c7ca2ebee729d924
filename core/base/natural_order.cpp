// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/natural_order.h"

#include "base/number.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace jitscope::base {

namespace {

template <typename Char> bool isDigit(Char c) { return c >= Char('0') && c <= Char('9'); }

template <typename Char> bool isWordCharacter(Char c) {
  return isDigit(c) || (c >= Char('a') && c <= Char('z')) || (c >= Char('A') && c <= Char('Z')) || c == Char('_') ||
         c == Char(')') || c == Char(']');
}

/// Where a run of digits ends.
template <typename Char> std::size_t digitsFrom(std::basic_string_view<Char> text, std::size_t at) {
  while (at < text.size() && isDigit(text[at])) {
    ++at;
  }
  return at;
}

/// The value of a number as it is spelled; where no double holds it, the end of their range that it lies beyond.
double valueOf(const std::string &number, bool isSmall) {
  const bool isNegative = number.starts_with('-');
  if (const std::optional<double> value = numberFrom<double>(number)) {
    return *value;
  }
  const double magnitude = isSmall ? 0 : std::numeric_limits<double>::infinity();
  return isNegative ? -magnitude : magnitude;
}

/// A number at a place of a text; of no length if there is none.
template <typename Char> struct NumberAt {
  using View = std::basic_string_view<Char>;

  std::size_t length = 0;
  double value = 0;
  bool isNegative = false;
  bool isWhole = true;
  View digits = {}; ///< of a whole number, without leading zeros

  NumberAt(View text, std::size_t begin) {
    const bool isWithinWord = begin > 0 && isWordCharacter(text[begin - 1]);
    // "layer-2" has a hyphen, "{-2}" a sign.
    isNegative = text[begin] == Char('-') && !isWithinWord;
    const std::size_t whole = begin + (isNegative ? 1U : 0U);
    if (!isWithinWord && isInfinity(text, whole)) {
      length = whole + 3 - begin;
      isWhole = false;
      value = std::numeric_limits<double>::infinity() * (isNegative ? -1 : 1);
      return;
    }
    std::size_t at = digitsFrom(text, whole);
    if (at == whole) {
      return;
    }
    const std::size_t firstDigit = std::min(text.find_first_not_of(Char('0'), whole), at);
    digits = text.substr(firstDigit, at - firstDigit);
    if (at + 1 < text.size() && text[at] == Char('.') && isDigit(text[at + 1])) {
      at = digitsFrom(text, at + 1);
      isWhole = false;
    }
    bool isSmall = digits.empty() && !isWhole;
    if (at + 1 < text.size() && (text[at] == Char('e') || text[at] == Char('E'))) {
      const bool isSigned = text[at + 1] == Char('-') || text[at + 1] == Char('+');
      const std::size_t exponent = at + (isSigned ? 2U : 1U);
      if (const std::size_t end = digitsFrom(text, exponent); end > exponent) {
        isSmall = text[at + 1] == Char('-');
        isWhole = false;
        at = end;
      }
    }
    length = at - begin;
    // Digits are ASCII in either encoding.
    std::string ascii;
    std::ranges::transform(text.substr(begin, length), std::back_inserter(ascii), [](Char c) { return static_cast<char>(c); });
    value = valueOf(ascii, isSmall);
  }

private:
  static bool isInfinity(View text, std::size_t at) {
    constexpr std::array kWord{Char('i'), Char('n'), Char('f')};
    const bool isThere = text.substr(at, kWord.size()) == View(kWord.data(), kWord.size());
    return isThere && (at + kWord.size() == text.size() || !isWordCharacter(text[at + kWord.size()]));
  }
};

/// By value; whole numbers that one double stands for by their digits, and before fractions of that value.
template <typename Char> std::strong_ordering orderOf(const NumberAt<Char> &left, const NumberAt<Char> &right) {
  if (left.value != right.value) {
    return left.value < right.value ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  if (left.isWhole != right.isWhole) {
    return left.isWhole ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  if (!left.isWhole) {
    return std::strong_ordering::equal;
  }
  const std::strong_ordering bySize = left.digits.size() <=> right.digits.size();
  const std::strong_ordering byDigits = bySize != 0 ? bySize : left.digits.compare(right.digits) <=> 0;
  return left.isNegative ? 0 <=> byDigits : byDigits;
}

/// What a character sorts by: as a small letter, and the end of a list before its next element. UTF-8 sorts as Unicode does where
/// bytes are unsigned.
template <typename Char> std::uint32_t rankOf(Char c) {
  if (c == Char(']') || c == Char('}')) {
    return 0;
  }
  const auto unit = static_cast<std::make_unsigned_t<Char>>(c);
  return c >= Char('A') && c <= Char('Z') ? unit - 'A' + 'a' : unit;
}

template <typename Char>
std::strong_ordering naturalOrderOf(std::basic_string_view<Char> left, std::basic_string_view<Char> right) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size() && j < right.size()) {
    const NumberAt<Char> one(left, i);
    const NumberAt<Char> other(right, j);
    if ((one.length > 0) != (other.length > 0)) {
      return one.length > 0 ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    if (one.length > 0) {
      if (const std::strong_ordering order = orderOf(one, other); order != 0) {
        return order;
      }
      i += one.length;
      j += other.length;
    } else {
      if (rankOf(left[i]) != rankOf(right[j])) {
        return rankOf(left[i]) <=> rankOf(right[j]);
      }
      ++i;
      ++j;
    }
  }
  if (const std::strong_ordering order = (left.size() - i) <=> (right.size() - j); order != 0) {
    return order;
  }
  return left.compare(right) <=> 0;
}

} // namespace

std::strong_ordering naturalOrder(std::string_view left, std::string_view right) { return naturalOrderOf(left, right); }

std::strong_ordering naturalOrder(std::u16string_view left, std::u16string_view right) { return naturalOrderOf(left, right); }

} // namespace jitscope::base
