/** `TextEncoder` and `TextDecoder` for UTF-8, which the engine lacks. */

export class TextEncoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array {
    const bytes: number[] = [];
    for (const character of text) {
      const point = character.codePointAt(0) as number;
      const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
      if (code < 0x80) bytes.push(code);
      else if (code < 0x800) bytes.push(0xc0 | (code >> 6), tail(code));
      else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), tail(code >> 6), tail(code));
      else bytes.push(0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code));
    }
    return Uint8Array.from(bytes);
  }
}

export class TextDecoder {
  readonly encoding = "utf-8";
  readonly #fatal: boolean;

  constructor(label = "utf-8", { fatal = false } = {}) {
    if (!/^\s*(utf-?8|unicode-1-1-utf-8)\s*$/i.test(label)) throw new RangeError(`there is no decoder for ${label}`);
    this.#fatal = fatal;
  }

  decode(bytes: Uint8Array = new Uint8Array()): string {
    const parts: string[] = [];
    let codes: number[] = [];
    for (let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0; at < bytes.length; ) {
      const { code, length } = sequence(bytes, at);
      if (code === undefined && this.#fatal) throw new TypeError("the bytes are no UTF-8");
      codes.push(code ?? 0xfffd);
      at += length;
      if (codes.length === 4096) {
        parts.push(String.fromCodePoint(...codes));
        codes = [];
      }
    }
    return parts.join("") + String.fromCodePoint(...codes);
  }
}

function tail(code: number): number {
  return 0x80 | (code & 0x3f);
}

/** The character at a place, and how many bytes it has; without a code, how many make no character. */
function sequence(bytes: Uint8Array, at: number): { code: number | undefined; length: number } {
  const first = bytes[at] as number;
  if (first < 0x80) return { code: first, length: 1 };
  const extra = first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  let code = first & (0x3f >> extra);
  for (let step = 1; step <= extra; step += 1) {
    const next = bytes[at + step];
    if (next === undefined || next < (step === 1 ? least : 0x80) || next > (step === 1 ? most : 0xbf)) {
      return { code: undefined, length: step };
    }
    code = (code << 6) | (next & 0x3f);
  }
  return { code: extra === 0 ? undefined : code, length: 1 + extra };
}
