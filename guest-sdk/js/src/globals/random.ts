/**
 * `Math.random`: the engine's own is part of the snapshot that a component starts from, so it would
 * give every call the same numbers. These are for dice, not for secrets.
 */
import { getInsecureRandomU64 } from "wasi:random/insecure@0.2.12";

const VALUES = 2 ** 53;

export const __portcullis_random = (): number => (getInsecureRandomU64() % VALUES) / VALUES;
