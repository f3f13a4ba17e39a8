/** Describes a function whose parameters and result are 32-bit integers. */
export interface WebAssemblyCallback {
  /** Number of parameters of the function. */
  readonly parameters: number;
  readonly call: (parameters: readonly number[]) => number;
}

const I32 = 0x7f;
const FUNCTION = 0x60;
const IMPORTED_FUNCTION = 0;
const SECTIONS = { types: 1, imports: 2, exports: 7 };
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/**
 * Converts callbacks into WebAssembly functions, because a WebAssembly function table accepts only such functions.
 * Builds a module that imports each callback and exports it again. Source: the WebAssembly specification, chapter
 * "Binary Format".
 */
export function createWebAssemblyFunctions(
  functions: Readonly<Record<string, WebAssemblyCallback>>,
): WebAssembly.Exports {
  const callbacks = Object.entries(functions);
  const types = callbacks.map(([, { parameters }]) => [
    FUNCTION,
    ...[parameters, ...Array.from({ length: parameters }, () => I32)],
    ...[1, I32],
  ]);
  const imports = callbacks.map(([name], index) => [...encodeName('e'), ...encodeName(name), IMPORTED_FUNCTION, index]);
  const exports = callbacks.map(([name], index) => [...encodeName(name), IMPORTED_FUNCTION, index]);
  const bytes = [
    ...HEADER,
    ...encodeSection(SECTIONS.types, types),
    ...encodeSection(SECTIONS.imports, imports),
    ...encodeSection(SECTIONS.exports, exports),
  ];
  const imported = Object.fromEntries(
    callbacks.map(([name, { call }]) => [name, (...parameters: readonly number[]) => call(parameters)]),
  );
  return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), { e: imported }).exports;
}

/**
 * Encodes a section of a WebAssembly module. The section must have fewer than 128 bytes, because its length is a single
 * byte.
 */
function encodeSection(id: number, entries: readonly (readonly number[])[]): readonly number[] {
  const body = [entries.length, ...entries.flat()];
  return [id, body.length, ...body];
}

function encodeName(name: string): readonly number[] {
  return [name.length, ...Buffer.from(name, 'latin1')];
}
