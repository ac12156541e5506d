import assert from "node:assert/strict";
import { test } from "node:test";

import * as ours from "../src/globals/text.ts";
import { HttpError, parsed, request } from "../src/http.ts";

test("UTF-8 is written as everybody writes it", () => {
  for (const text of ["", "plain", "é€🎉", "\ud800x\udc00", "\u0000\u07ff\u0800\uffff\u{10ffff}"]) {
    assert.deepEqual(new ours.TextEncoder().encode(text), new TextEncoder().encode(text));
  }
});

test("UTF-8 is read as everybody reads it", () => {
  const random = (
    (state) => () =>
      (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648
  )(7);
  const heads = [
    0x20, 0x7f, 0x80, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff, 0x9f, 0xa0, 0x8f,
    0x90, 0xbb,
  ];
  for (let round = 0; round < 20000; round += 1) {
    const bytes = Uint8Array.from(
      { length: 1 + random() * 8 },
      () => heads[Math.floor(random() * heads.length)],
    );
    assert.equal(new ours.TextDecoder().decode(bytes), new TextDecoder().decode(bytes), `${bytes}`);
  }
  assert.throws(() => new ours.TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.of(0xff)), TypeError);
  assert.throws(() => new ours.TextDecoder("latin1"), RangeError);
  const long = "é".repeat(10000);
  assert.equal(new ours.TextDecoder().decode(new TextEncoder().encode(long)), long);
});

test("a URL has a host and a path", () => {
  assert.deepEqual(parsed("https://A.example:8443?x=1#y"), {
    scheme: "https",
    authority: "a.example:8443",
    pathWithQuery: "/?x=1",
  });
  assert.deepEqual(parsed("HTTP://a.example/b/c?d"), {
    scheme: "http",
    authority: "a.example",
    pathWithQuery: "/b/c?d",
  });
  for (const url of [
    "",
    "a.example",
    "ftp://a.example",
    "//a.example",
    "https://",
    "https://u:p@a.example",
    "https://a.example/b c",
  ]) {
    assert.throws(() => parsed(url), { kind: "invalid-arguments" }, url);
  }
});

test("outside of a component no request is sent", () => {
  assert.throws(() => request("https://a.example/"), HttpError);
});
