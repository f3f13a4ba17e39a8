import type { PdfiumExports } from './pdfium-instance.js';

const ROTATIONS = [0, 1, 2, 3] as const;
export type Rotation = (typeof ROTATIONS)[number];

/** Describes a character and its bounding box, in points from the lower left corner of the page. */
export interface Glyph {
  readonly text: string;
  /** True if the glyph is not white space. */
  readonly visible: boolean;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  /** Font size as drawn, in points. */
  readonly size: number;
  readonly bold: boolean;
  /** Rotation in quarter turns, counterclockwise. Text that runs up the page has 1. */
  readonly rotation: Rotation;
  /** True for a hyphen at a line end, inside a word. */
  readonly hyphen: boolean;
}

/** Number of bytes in the WebAssembly memory that reading the glyphs of a page needs. */
export const SCRATCH_BYTES = 256;
/**
 * Matches the name of a bold font. The name is more reliable than the weight, which pdfium estimates for most
 * documents.
 */
const BOLD = /bold|black|heavy|demi|-medi\b/i;

/** Holds the glyphs of a page in content order; `\n` ends a line. */
export interface PageGlyphs {
  readonly glyphs: readonly Glyph[];
  /** True if characters are omitted, because pdfium decodes their font wrongly. */
  readonly isIncomplete: boolean;
}

/**
 * Reads the glyphs of a page.
 *
 * @param page handle of the page
 * @param scratch address of `SCRATCH_BYTES` free bytes
 * @param unsupportedFonts names of the fonts whose glyphs are omitted, in Latin-1
 */
export function readGlyphs(
  pdfium: PdfiumExports,
  page: number,
  scratch: number,
  unsupportedFonts: ReadonlySet<string>,
): PageGlyphs {
  const view = new Scratch(pdfium, scratch, unsupportedFonts);
  let glyphs = readPageGlyphs(pdfium, page, view);
  // pdfium sorts the parts of a line as the page is displayed, so the page is rotated until its text runs from left to right.
  const rotation = findMainRotation(glyphs);
  if (rotation !== pdfium.FPDFPage_GetRotation(page)) {
    pdfium.FPDFPage_SetRotation(page, rotation);
    glyphs = readPageGlyphs(pdfium, page, view);
  }
  return { glyphs, isIncomplete: view.hasUnsupportedFont };
}

function readPageGlyphs(pdfium: PdfiumExports, page: number, view: Scratch): readonly Glyph[] {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return [];
  const count = pdfium.FPDFText_CountChars(text);
  const glyphs: Glyph[] = [];
  for (let index = 0; index < count; index += 1) {
    const glyph = readGlyph(pdfium, text, index, view);
    if (glyph !== undefined) glyphs.push(glyph);
  }
  pdfium.FPDFText_ClosePage(text);
  return glyphs;
}

/** Returns the rotation of most glyphs. */
export function findMainRotation(glyphs: readonly Glyph[]): Rotation {
  const counts = [0, 0, 0, 0];
  for (const { rotation, visible } of glyphs) if (visible) counts[rotation] = (counts[rotation] ?? 0) + 1;
  return ROTATIONS[counts.indexOf(Math.max(...counts))] ?? 0;
}

/**
 * Memory for pdfium's results of more than one number. The buffer is replaced when the memory grows, so the views are recreated
 * then.
 */
class Scratch {
  readonly address: number;
  /** True if a glyph of an unsupported font was found. */
  hasUnsupportedFont = false;
  readonly #pdfium: PdfiumExports;
  readonly #unsupportedFonts: ReadonlySet<string>;
  #memory: ArrayBuffer | undefined;
  #floats = new Float32Array();
  #doubles = new Float64Array();
  #bytes = new Uint8Array();
  #font: Font & { readonly bytes: Buffer } = { ...OTHER_FONT, bytes: Buffer.alloc(0) };

  constructor(pdfium: PdfiumExports, address: number, unsupportedFonts: ReadonlySet<string>) {
    this.#pdfium = pdfium;
    this.#unsupportedFonts = unsupportedFonts;
    this.address = address;
  }

  get floats(): Float32Array {
    this.#renewViews();
    return this.#floats;
  }

  get doubles(): Float64Array {
    this.#renewViews();
    return this.#doubles;
  }

  /** Describes the font whose name was written here. @param length of the name in bytes */
  describeFont(length: number): Font {
    this.#renewViews();
    const name = this.#bytes.subarray(0, length);
    if (!this.#font.bytes.equals(name)) {
      const bytes = Buffer.from(name);
      const text = bytes.toString('latin1');
      this.#font = { bytes, isBold: BOLD.test(text), isSupported: !this.#unsupportedFonts.has(text) };
    }
    return this.#font;
  }

  #renewViews(): void {
    if (this.#memory === this.#pdfium.memory.buffer) return;
    this.#memory = this.#pdfium.memory.buffer;
    this.#floats = new Float32Array(this.#memory, this.address, 6);
    this.#doubles = new Float64Array(this.#memory, this.address, 4);
    this.#bytes = new Uint8Array(this.#memory, this.address, SCRATCH_BYTES);
  }
}

interface Font {
  readonly isBold: boolean;
  readonly isSupported: boolean;
}

const OTHER_FONT: Font = { isBold: false, isSupported: true };

/** Reads a glyph. Returns undefined if its font is unsupported. */
function readGlyph(pdfium: PdfiumExports, text: number, index: number, scratch: Scratch): Glyph | undefined {
  const { address } = scratch;
  const font = readFont(pdfium, text, index, scratch);
  if (!font.isSupported) {
    scratch.hasUnsupportedFont = true;
    return undefined;
  }
  pdfium.FPDFText_GetMatrix(text, index, address);
  const [a = 1, b = 0, c = 0, d = 1] = scratch.floats;
  // Most text is upright, and `Math.hypot` is slow for each character.
  const scale = c === 0 ? Math.abs(d) : Math.hypot(c, d);
  pdfium.FPDFText_GetCharBox(text, index, address, address + 8, address + 16, address + 24);
  const [left = 0, right = 0, bottom = 0, top = 0] = scratch.doubles;
  const character = toCharacter(pdfium.FPDFText_GetUnicode(text, index));
  // Negative for a font that is drawn upside down.
  const size = pdfium.FPDFText_GetFontSize(text, index);
  return {
    text: character,
    visible: character.trim() !== '',
    left,
    right,
    bottom,
    top,
    size: Math.abs(size) * scale,
    bold: font.isBold,
    rotation: size < 0 ? getRotation(-a, -b) : getRotation(a, b),
    hyphen: pdfium.FPDFText_IsHyphen(text, index) === 1,
  };
}

/** Returns the rotation of text that advances by (`a`, `b`) for each character. */
function getRotation(a: number, b: number): Rotation {
  if (Math.abs(a) >= Math.abs(b)) return a < 0 ? 2 : 0;
  return b < 0 ? 3 : 1;
}

function readFont(pdfium: PdfiumExports, text: number, index: number, scratch: Scratch): Font {
  const { address } = scratch;
  const flags = address + SCRATCH_BYTES - 4;
  const length = pdfium.FPDFText_GetFontInfo(text, index, address, SCRATCH_BYTES - 4, flags);
  if (length < 2 || length > SCRATCH_BYTES - 4) return OTHER_FONT;
  return scratch.describeFont(length - 1);
}

/** Converts a code to a character. Fonts can map glyphs to single UTF-16 units, and damaged fonts to values outside Unicode. */
function toCharacter(code: number): string {
  return code < 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}
