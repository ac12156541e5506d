/**
 * `TextEncoder` and `TextDecoder` for UTF-8, which the engine lacks. It is an interpreter, so the work
 * is left to functions of its own that know UTF-8, as far as they go.
 */

export class TextEncoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array {
    const wellFormed = (text as string & { toWellFormed(): string }).toWellFormed();
    // A character for each byte.
    const binary = unescape(encodeURIComponent(wellFormed));
    if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, btoa(binary));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  }
}

declare function btoa(binary: string): string;
const { fromBase64 } = Uint8Array as { fromBase64?: (this: typeof Uint8Array, text: string) => Uint8Array };

const CHUNK = 8192;

export class TextDecoder {
  readonly encoding = "utf-8";
  readonly #fatal: boolean;

  constructor(label = "utf-8", { fatal = false } = {}) {
    if (!/^\s*(utf-?8|unicode-1-1-utf-8)\s*$/i.test(label))
      throw new RangeError(`there is no decoder for ${label}`);
    this.#fatal = fatal;
  }

  decode(bytes: Uint8Array = new Uint8Array()): string {
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const body = hasMark ? bytes.subarray(3) : bytes;
    let binary = "";
    for (let at = 0; at < body.length; at += CHUNK)
      binary += String.fromCharCode(...body.subarray(at, at + CHUNK));
    try {
      return decodeURIComponent(escape(binary));
    } catch {
      if (this.#fatal) throw new TypeError("the bytes are no UTF-8");
      return repaired(body);
    }
  }
}

/** Text with a mark wherever bytes make no character. */
function repaired(bytes: Uint8Array): string {
  const characters: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const { code, length } = sequence(bytes, at);
    characters.push(String.fromCodePoint(code ?? 0xfffd));
    at += length;
  }
  return characters.join("");
}

/** The character at a place, and how many bytes it has; without a code, how many make no character. */
function sequence(bytes: Uint8Array, at: number): { code: number | undefined; length: number } {
  const first = bytes[at] as number;
  if (first < 0x80) return { code: first, length: 1 };
  const extra =
    first >= 0xc2 && first < 0xe0
      ? 1
      : first >= 0xe0 && first < 0xf0
        ? 2
        : first >= 0xf0 && first < 0xf5
          ? 3
          : 0;
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
