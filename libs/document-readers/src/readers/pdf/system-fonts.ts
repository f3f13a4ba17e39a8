import { buildPlaceholderFont } from './placeholder-font.js';

/** Windows character sets of Japanese, Korean, simplified and traditional Chinese. Source: pdfium's header fpdf_sysfontinfo.h. */
const CJK_CHARSETS: ReadonlySet<number> = new Set([128, 129, 134, 136]);
const DEFAULT_CHARSET = 1;
const FONT_HANDLE = 1;
const NO_FONT = 0;
/** Table number with which pdfium requests the whole font file. */
const WHOLE_FILE = 0;

/** Describes the functions of pdfium's WebAssembly exports that register fonts. */
export interface FontExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __indirect_function_table: { set(index: number, value: unknown): void };
  FPDF_GetDefaultSystemFontInfo(): number;
  FPDF_SetSystemFontInfo(info: number): void;
}

interface FontCallback {
  /** Index of the function in `FPDF_SYSFONTINFO`, whose first member is its version. */
  readonly member: number;
  readonly parameters: number;
  readonly call: (parameters: readonly number[]) => number;
}

/**
 * Installs a font in pdfium for Chinese, Japanese and Korean text whose font is not embedded. pdfium decodes such text without
 * a font. But each glyph then has an empty box, and pdfium drops text objects whose boxes are all empty: single characters and
 * vertical lines.
 */
export function installPlaceholderFont(pdfium: FontExports): void {
  const info = pdfium.FPDF_GetDefaultSystemFontInfo();
  const members = new Uint32Array(pdfium.memory.buffer, info, 9);
  const callbacks = Object.entries(createCallbacks(pdfium));
  const functions = toWebAssemblyFunctions(callbacks);
  // The table of functions cannot grow. Only this structure calls the default functions, so they can be replaced.
  for (const [name, { member }] of callbacks)
    pdfium.__indirect_function_table.set(members[member] ?? 0, functions[name]);
  pdfium.FPDF_SetSystemFontInfo(info);
}

function createCallbacks(pdfium: FontExports): Readonly<Record<string, FontCallback>> {
  const font = buildPlaceholderFont();
  return {
    MapFont: {
      member: 3,
      parameters: 7,
      call: ([, , , charset = DEFAULT_CHARSET]) => (CJK_CHARSETS.has(charset) ? FONT_HANDLE : NO_FONT),
    },
    GetFontData: {
      member: 5,
      parameters: 5,
      call: ([, , table, buffer = 0, size = 0]) => {
        if (table !== WHOLE_FILE) return 0;
        if (buffer !== 0 && size >= font.length) new Uint8Array(pdfium.memory.buffer).set(font, buffer);
        return font.length;
      },
    },
    GetFaceName: { member: 6, parameters: 4, call: () => 0 },
    GetFontCharset: { member: 7, parameters: 2, call: () => DEFAULT_CHARSET },
  };
}

const I32 = 0x7f;
const FUNCTION = 0x60;
const IMPORTED_FUNCTION = 0;
const SECTIONS = { types: 1, imports: 2, exports: 7 };
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/**
 * Converts callbacks into WebAssembly functions, because a WebAssembly function table stores no other functions. Builds a module
 * that imports each callback and exports it again.
 * Source: the WebAssembly specification, chapter "Binary Format".
 */
function toWebAssemblyFunctions(callbacks: readonly (readonly [string, FontCallback])[]): WebAssembly.Exports {
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

/** Encodes a section of less than 128 bytes, whose length is a single byte. */
function encodeSection(id: number, entries: readonly (readonly number[])[]): readonly number[] {
  const body = [entries.length, ...entries.flat()];
  return [id, body.length, ...body];
}

function encodeName(name: string): readonly number[] {
  return [name.length, ...Buffer.from(name, 'latin1')];
}
