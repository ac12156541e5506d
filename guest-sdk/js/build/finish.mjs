/**
 * What is left to do on a component that componentize-qjs made.
 *
 * - The loader. At build time the JavaScript engine asks an interface of its own,
 *   `local:init/module-loader`, for the files that a module imports. In the finished component a second
 *   component answers it, with a trap, and since both have a memory, what passes strings between them
 *   needs WebAssembly's multiple memories, which a host may have switched off. Nobody asks at run time,
 *   so the loader may as well take numbers, and then needs no memory.
 * - The export `init`, which served the build as well, goes.
 * - Late interfaces. The process that takes the snapshot offers WASI, and traps in place of all that it
 *   does not know; an interface that it does not know and that shares resources with one that it knows,
 *   as wasi:http does with wasi:io, cannot be linked there. So these are built under another name,
 *   `late`, and get their own back here.
 */

const LOADER = "local:init/module-loader";
const section = { component: 4, instance: 5, type: 7, import: 10, export: 11 };
const HEADER_BYTES = 8;

/** (component
      (core module $m
        (func (export "resolve") (param i32 i32 i32 i32 i32) unreachable)
        (func (export "load") (param i32 i32 i32) unreachable))
      (core instance $i (instantiate $m))
      (func $resolve (param "a" u32) (param "b" u32) (param "c" u32) (param "d" u32) (param "e" u32)
        (canon lift (core func $i "resolve")))
      (func $load (param "a" u32) (param "b" u32) (param "c" u32) (canon lift (core func $i "load")))
      (instance $x (export "resolve" (func $resolve)) (export "load" (func $load)))
      (export "local:init/module-loader" (instance $x))) */
const TRAPPING_LOADER = hex(`
  0061736d0d000100013d0061736d01000000010f0260057f7f7f7f7f0060037f7f7f00030302000107120207
  7265736f6c76650000046c6f616400010a09020300000b0300000b0204010000000714014005016179016279
  0163790164790165790100060d010000010007 7265736f6c7665080601000000000007 0e01400301617901627901637901
  00060a010000010004 6c6f61640806010000010001 05160101020007 7265736f6c7665010000046c6f61640101
  0b1e010018 6c6f63616c3a696e69742f6d6f64756c652d6c6f61646572 050000`);

/** (instance
      (type (func (param "a" u32) (param "b" u32) (param "c" u32) (param "d" u32) (param "e" u32)))
      (export "resolve" (func (type 0)))
      (type (func (param "a" u32) (param "b" u32) (param "c" u32)))
      (export "load" (func (type 1)))) */
const LOADER_TYPE = hex(`
  01 42 04 01 4005 016179 016279 016379 016479 016579 0100 04 0007 7265736f6c7665 0100
  01 4003 016179 016279 016379 0100 04 0004 6c6f6164 0101`);

/** Names of as many bytes, so that one can stand where the other stood. */
const LATE = Buffer.from("late:");
const WASI = Buffer.from("wasi:");

/** The interfaces of a text, under the names that they are built with. */
export function late(text) {
  return text.replaceAll(/\bwasi:(?=(filesystem|http|io)\b)/g, String(LATE));
}

/** The component, finished. */
export function finished(component) {
  let loaders = 0;
  let engines = 0;
  const kept = sections(component).flatMap((it) => {
    if (it.id === section.export && names(it.payload, "init")) return [];
    if (it.id !== section.component) return [renamed(it)];
    const inner = sections(it.payload).map(renamed);
    const place = inner.findIndex((part) => part.id === section.import && names(part.payload, LOADER));
    if (place > 0 && inner[place - 1].id === section.type) {
      engines += 1;
      inner[place - 1] = { id: section.type, payload: LOADER_TYPE };
      return [{ id: it.id, payload: written(inner) }];
    }
    if (inner.some((part) => part.id === section.export && names(part.payload, LOADER))) {
      loaders += 1;
      return [{ id: it.id, payload: TRAPPING_LOADER }];
    }
    return [it];
  });
  if (engines !== 1 || loaders !== 1) {
    throw new Error("this version of componentize-qjs composes components in a way that is not known here");
  }
  return written(kept);
}

/** What is imported, and what is handed on to an instance, under its own name again. */
function renamed({ id, payload }) {
  if (id !== section.import && id !== section.instance) return { id, payload };
  const own = Buffer.from(payload);
  for (let at = own.indexOf(LATE); at >= 0; at = own.indexOf(LATE, at)) WASI.copy(own, at);
  return { id, payload: own };
}

function sections(component) {
  const found = [];
  for (let at = HEADER_BYTES; at < component.length;) {
    const id = component[at];
    const { value: length, next } = unsigned(component, at + 1);
    found.push({ id, payload: component.subarray(next, next + length) });
    at = next + length;
  }
  return found;
}

function written(all) {
  const header = TRAPPING_LOADER.subarray(0, HEADER_BYTES);
  return Buffer.concat([
    header,
    ...all.flatMap(({ id, payload }) => [Buffer.from([id, ...leb(payload.length)]), payload]),
  ]);
}

/** Whether a section of imports or exports has one entry, of this name. */
function names(payload, name) {
  const start = Buffer.from([1, 0, ...leb(name.length), ...Buffer.from(name)]);
  return start.equals(payload.subarray(0, start.length));
}

function unsigned(bytes, start) {
  let value = 0;
  for (let next = start, shift = 1; ; shift *= 128) {
    const byte = bytes[next++];
    value += (byte & 127) * shift;
    if (byte < 128) return { value, next };
  }
}

function leb(value) {
  return value < 128 ? [value] : [(value % 128) | 128, ...leb(Math.floor(value / 128))];
}

function hex(text) {
  return Buffer.from(text.replace(/\s/g, ""), "hex");
}
