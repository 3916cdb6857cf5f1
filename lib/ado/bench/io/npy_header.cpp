// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/npy_header.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <system_error>
#include <utility>

namespace ado::bench::npy {
namespace {

constexpr std::size_t max_array_bytes = std::numeric_limits<std::ptrdiff_t>::max();

static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);
constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';
constexpr char foreign_order = native_order == '<' ? '>' : '<';

// Kind and bytes, as NumPy writes them after the byte order: "f8" for f64.
std::string dtype_code(const TypeInfo& row) { return row.name[0] + std::to_string(row.bytes); }

// Advice for a dtype that is not in the table above; the first row whose prefix fits.
struct DtypeAdvice {
  std::string_view prefix, what, convert_to;
};
constexpr std::array<DtypeAdvice, 17> dtype_advice{{{"b", "boolean", "i1"},
                                                    {"u1", "unsigned", "i2"},
                                                    {"u2", "unsigned", "i4"},
                                                    {"u", "unsigned", "i8"},
                                                    {"f2", "half precision", "f4"},
                                                    {"f", "extended precision", "f8"},
                                                    {"c", "extended precision", "c16"},
                                                    {"M", "dates", "i8"},
                                                    {"m", "time differences", "i8"},
                                                    {"O", "Python objects, never unpickled", "f8"},
                                                    {"S", "text", "f8"},
                                                    {"a", "text", "f8"},
                                                    {"U", "text", "f8"},
                                                    {"T", "text", "f8"},
                                                    {"V", "raw or structured", "f4"},
                                                    {"i", "an integer of unusual size", "i8"},
                                                    {"", "unknown", "f4"}}};

// Bytes of a file for a message: printable and short.
std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result = "'";
  for (char c : text.substr(0, most)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      std::array<char, 5> code{};
      std::snprintf(code.data(), code.size(), "\\x%02x",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      result += code.data();
    }
  }
  return result + (text.size() > most ? "...'" : "'");
}

// Parses the header, a Python dictionary literal. Understands only what a valid one may contain;
// evaluates nothing.
class DictionaryParser {
public:
  DictionaryParser(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  NpyHeader parse() {
    constexpr std::array<std::string_view, 3> keys{"descr", "fortran_order", "shape"};
    std::array<bool, 3> seen{};
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string("a key in quotes");
      const auto which =
          static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
      if (which == keys.size()) refuse("its header has an unknown key " + quoted(key) + again);
      if (std::exchange(seen[which], true))
        refuse("its header has the key " + quoted(key) + " twice" + again);
      expect(':');
      if (which == 0) dtype();
      if (which == 1) order();
      if (which == 2) shape();
      if (!accept(',') && next() != '}') malformed("',' or '}'");
    }
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (!seen[k]) refuse("its header lacks the key " + quoted(keys[k]) + again);
    if (next() != '\0' || at_ < text_.size()) malformed("only blanks after '}'");
    return header_;
  }

private:
  static constexpr const char* again = "; save the array again with numpy.save";

  void dtype() {
    if (next() == '[' || next() == '(')
      refuse("its dtype is structured, " + quoted(text_.substr(at_)) +
             "; save one field, e.g. numpy.save(file, a['field'])");
    const std::string_view descr = string("a dtype in quotes");
    const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr[0]) != descr.npos;
    const char order = has_order ? descr[0] : '=';
    const std::string_view code = descr.substr(has_order ? 1 : 0);
    for (const TypeInfo& row : type_table) {
      if (dtype_code(row) != code) continue;
      // A single byte has no order, whatever the file says.
      if (order == native_order || (row.type == Type::i8 && has_order && order != '=')) {
        header_.type = row.type;
        return;
      }
      unsupported(descr, order == foreign_order ? "the other byte order" : "no byte order given",
                  code);
    }
    for (const DtypeAdvice& row : dtype_advice)
      if (code.starts_with(row.prefix)) unsupported(descr, row.what, row.convert_to);
  }

  [[noreturn]] void unsupported(std::string_view descr, std::string_view what,
                                std::string_view convert_to) const {
    refuse("its dtype " + quoted(descr) + " (" + std::string(what) +
           ") is not supported; i1, i2, i4, i8, f4, f8, c8 and c16 are: save a.astype('" +
           native_order + std::string(convert_to) + "')");
  }

  void order() {
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      skip_blanks();
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      header_.fortran_order = value;
      return;
    }
    malformed("True or False");
  }

  void shape() {
    int rank = 0;
    bool comma = true;
    expect('(');
    while (!accept(')')) {
      if (!comma) malformed("',' or ')'");
      const std::size_t length = number();
      if (rank < max_rank) header_.extent[static_cast<std::size_t>(rank)] = length;
      ++rank;
      comma = accept(',');
    }
    if (rank == 1 && !comma)
      refuse("its shape is a number in brackets, not a tuple" + std::string(again));
    if (rank > max_rank)
      refuse("its array has " + std::to_string(rank) + " dimensions; at most " +
             std::to_string(max_rank) + " are supported: reshape it before saving");
    header_.rank = rank;
  }

  std::size_t number() {
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    const std::string_view digits = rest.substr(0, rest.find_first_not_of("0123456789"));
    if (digits.empty()) malformed("a length, 0 or more, in digits");
    if (digits.size() > 1 && digits[0] == '0') malformed("a length without leading zeros");
    std::size_t value = 0;
    const char* end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, value).ec != std::errc{})
      refuse("its shape has a length that does not fit 64 bits, " + quoted(digits) + again);
    at_ += digits.size();
    return value;
  }

  // A string literal without escapes; no valid header needs them.
  std::string_view string(const char* what) {
    const char quote = next();
    if (quote != '\'' && quote != '"') malformed(what);
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) malformed("a string that ends");
    const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
    if (value.find('\\') != value.npos) malformed("a string without escapes");
    at_ = end + 1;
    return value;
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  // The next character that is not blank; '\0' at the end.
  char next() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    const bool found = next() == c;
    if (found) ++at_;
    return found;
  }
  void expect(char c) {
    if (!accept(c)) malformed(quoted({&c, 1}));
  }

  [[noreturn]] void refuse(const std::string& problem) const { npy::refuse(path_, problem); }
  [[noreturn]] void malformed(const std::string& expected) const {
    refuse("its header is malformed at byte " + std::to_string(at_) + ": expected " + expected +
           ", found " + (at_ < text_.size() ? quoted(text_.substr(at_)) : "the end") + again);
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
  NpyHeader header_;
};

// Bytes of the elements. Checks lengths beside a zero too: strides computed from them must not
// wrap.
std::size_t array_bytes(const std::string& path, const NpyHeader& header) {
  std::size_t product = size_of(header.type);
  bool empty = false;
  for (std::size_t length : header.extent) {
    if (length == 0) {
      empty = true;
    } else if (product > max_array_bytes / length) {
      refuse(path, "its shape " + shape_text(header.rank, header.extent) +
                       " means more bytes than fit 63 bits; save the array again with numpy.save");
    } else {
      product *= length;
    }
  }
  return empty ? 0 : product;
}

} // namespace

void refuse(const std::string& path, const std::string& problem) {
  throw InputError(path + ": " + problem);
}

std::string shape_text(int rank, const Extents& extent) {
  std::string text = "(";
  for (int d = 0; d < rank; ++d)
    text += (d > 0 ? ", " : "") + std::to_string(extent[static_cast<std::size_t>(d)]);
  return text + (rank == 1 ? ",)" : ")");
}

std::string dtype_text(Type type) {
  return (size_of(type) == 1 ? '|' : native_order) + dtype_code(info(type));
}

NpyHeader parse_dictionary(const std::string& path, std::string_view text) {
  NpyHeader header = DictionaryParser(path, text).parse();
  header.bytes = array_bytes(path, header);
  return header;
}

} // namespace ado::bench::npy
