import { buildPlaceholderFont } from './placeholder-font.js';
import { createWebAssemblyFunctions, type WebAssemblyCallback } from './webassembly-functions.js';

/**
 * Numbers of the Windows character sets for Japanese, Korean, simplified and traditional Chinese. Source: pdfium's
 * header fpdf_sysfontinfo.h.
 */
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

interface FontCallback extends WebAssemblyCallback {
  /**
   * Index of the function in the structure `FPDF_SYSFONTINFO`. The first member of the structure is a version number.
   */
  readonly member: number;
}

/**
 * Index of `GetFont` in `FPDF_SYSFONTINFO`. This function is optional, so its entry in the function table can be
 * reused.
 */
const OPTIONAL_MEMBER = 4;

/**
 * Installs a font in pdfium for Chinese, Japanese and Korean text whose font is not embedded. pdfium decodes such text
 * without a font, but gives each glyph an empty rectangle. pdfium then omits text objects that have only empty
 * rectangles: single characters and vertical lines.
 *
 * @returns the index of an entry of the function table that pdfium no longer uses
 */
export function installPlaceholderFont(pdfium: FontExports): number {
  const info = pdfium.FPDF_GetDefaultSystemFontInfo();
  const members = new Uint32Array(pdfium.memory.buffer, info, 9);
  const callbacks = createFontCallbacks(pdfium);
  const functions = createWebAssemblyFunctions(callbacks);
  // Replaces the default functions, because the function table cannot grow. Only this structure calls the default
  // functions.
  for (const [name, { member }] of Object.entries(callbacks))
    pdfium.__indirect_function_table.set(members[member] ?? 0, functions[name]);
  const unused = members[OPTIONAL_MEMBER] ?? 0;
  members[OPTIONAL_MEMBER] = 0;
  pdfium.FPDF_SetSystemFontInfo(info);
  return unused;
}

function createFontCallbacks(pdfium: FontExports): Readonly<Record<string, FontCallback>> {
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
