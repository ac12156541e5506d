// The tools of wit/words.wit. The bindings in build/bindings are made of it by every build.

#include <stdlib.h>
#include <string.h>

#include "words.h"

static bool is_space(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

void exports_example_words_tools_count(words_string_t *text,
                                       exports_example_words_tools_counts_t *ret) {
  *ret = (exports_example_words_tools_counts_t){0};
  bool in_word = false;
  for (size_t i = 0; i < text->len; i++) {
    uint8_t byte = text->ptr[i];
    bool was_in_word = in_word;
    in_word = !is_space(byte);
    ret->words += in_word && !was_in_word;
    // In UTF-8 the bytes of a character after its first begin with the bits 10.
    ret->characters += in_word && (byte & 0xC0) != 0x80;
  }
  words_string_free(text);
}

// True: `ret` is the result. False: `err` is what went wrong.
bool exports_example_words_tools_repeat(words_string_t *text, uint32_t times, words_string_t *ret,
                                        words_string_t *err) {
  bool is_something = text->len > 0;
  if (is_something) {
    // The bindings free it.
    ret->len = (text->len + 1) * times - 1;
    ret->ptr = malloc(ret->len + 1);
    if (ret->ptr == NULL) {
      abort();
    }
    uint8_t *end = ret->ptr;
    for (uint32_t i = 0; i < times; i++) {
      memcpy(end, text->ptr, text->len);
      end[text->len] = ' ';
      end += text->len + 1;
    }
  } else {
    words_string_dup(err, "there is nothing to repeat; give a text");
  }
  words_string_free(text);
  return is_something;
}
