//! The tools of wit/words.wit. `wit` is the bindings, which every build makes of it.

const std = @import("std");
const wit = @import("wit");

const String = wit.words_string_t;

/// What a function gives is freed by the bindings, and what it is given is its own to free; both
/// with C's allocator.
const allocator = if (@hasDecl(std.heap, "raw_c_allocator"))
    std.heap.raw_c_allocator // Before Zig 0.16 the other one put a header before what it gave.
else
    std.heap.c_allocator;

fn bytes(string: String) []const u8 {
    return string.ptr[0..string.len];
}

export fn exports_example_words_tools_count(
    text: *String,
    ret: *wit.exports_example_words_tools_counts_t,
) void {
    defer wit.words_string_free(text);
    ret.* = .{ .words = 0, .characters = 0 };
    var words = std.mem.tokenizeAny(u8, bytes(text.*), &std.ascii.whitespace);
    while (words.next()) |word| {
        ret.words += 1;
        for (word) |byte| {
            // In UTF-8 the bytes of a character after its first begin with the bits 10.
            if (byte & 0xC0 != 0x80) ret.characters += 1;
        }
    }
}

/// True: `ret` is the result. False: `err` is what went wrong.
export fn exports_example_words_tools_repeat(
    text: *String,
    times: u32,
    ret: *String,
    err: *String,
) bool {
    defer wit.words_string_free(text);
    const word = bytes(text.*);
    if (word.len == 0) {
        wit.words_string_dup(err, "there is nothing to repeat; give a text");
        return false;
    }
    const repeated = allocator.alloc(u8, (word.len + 1) * times - 1) catch @panic("out of memory");
    @memset(repeated, ' ');
    for (0..times) |i| @memcpy(repeated[i * (word.len + 1) ..][0..word.len], word);
    ret.* = .{ .ptr = repeated.ptr, .len = repeated.len };
    return true;
}
