// The tools of wit/words.wit. The bindings in build/bindings are made of it by every build.

#include <cstdint>
#include <expected>
#include <string>

#include "words_cpp.h"

namespace exports::example::words::tools {

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Counts Count(wit::string text) {
  Counts counts{};
  bool in_word = false;
  for (char const c : text.get_view()) {
    bool const was_in_word = in_word;
    in_word = !is_space(c);
    counts.words += in_word && !was_in_word;
    // In UTF-8 the bytes of a character after its first begin with the bits 10.
    counts.characters += in_word && (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }
  return counts;
}

std::expected<wit::string, wit::string> Repeat(wit::string text, uint32_t times) {
  if (text.get_view().empty()) {
    return std::unexpected(wit::string::from_view("there is nothing to repeat; give a text"));
  }
  std::string repeated;
  for (uint32_t i = 0; i < times; ++i) {
    repeated += i > 0 ? " " : "";
    repeated += text.get_view();
  }
  return wit::string::from_view(repeated);
}

}  // namespace exports::example::words::tools
