/** The smallest media that say what they are. */

const HEX =
  "89504e470d0a1a0a0000000d49484452000000010000000108020000009077" +
  "53de0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082";

/** One red pixel. */
export const PNG = Uint8Array.from(HEX.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
