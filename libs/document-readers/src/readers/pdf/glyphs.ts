import { GlyphScratch, type PageFont, type WrongFonts } from './glyph-scratch.js';
import type { PdfiumExports } from './pdfium-instance.js';
import { replaceUnmappedText, type DecodedText } from './unmapped-text.js';

export const ROTATIONS = [0, 1, 2, 3] as const;
export type Rotation = (typeof ROTATIONS)[number];

/** Describes a character and its bounding rectangle, in points from the lower left corner of the page. */
export interface Glyph {
  readonly text: string;
  /** False for white space. */
  readonly visible: boolean;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  /** Font size as drawn, in points. */
  readonly size: number;
  readonly bold: boolean;
  /** Rotation in quarter turns, counterclockwise. 1 for text that runs up the page. */
  readonly rotation: Rotation;
  /** True for a hyphen at a line end, inside a word. */
  readonly hyphen: boolean;
}

/**
 * Reads the glyphs of a page.
 *
 * @param page handle of the page
 * @param scratch address of `SCRATCH_BYTES` free bytes
 */
export function readGlyphs(
  pdfium: PdfiumExports,
  page: number,
  scratch: number,
  fonts: WrongFonts,
): DecodedText<Glyph> {
  const view = new GlyphScratch(pdfium, scratch, fonts);
  let read = readPageGlyphs(pdfium, page, view);
  // Rotates the page until its text is upright, because pdfium sorts the parts of a line from left to right as
  // displayed.
  const rotation = findMainRotation(read.glyphs);
  if (rotation !== pdfium.FPDFPage_GetRotation(page)) {
    pdfium.FPDFPage_SetRotation(page, rotation);
    read = readPageGlyphs(pdfium, page, view);
  }
  return read;
}

const NO_GLYPHS: DecodedText<Glyph> = { glyphs: [], isIncomplete: false, unmapped: new Set() };

function readPageGlyphs(pdfium: PdfiumExports, page: number, scratch: GlyphScratch): DecodedText<Glyph> {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return NO_GLYPHS;
  const count = pdfium.FPDFText_CountChars(text);
  const characters = [];
  for (let index = 0; index < count; index += 1) {
    const font = scratch.readFont(text, index);
    if (!font.isSupported) continue;
    characters.push({ index, font, glyph: readGlyph(scratch, text, index, font) });
  }
  const decoded = replaceUnmappedText(characters, (index) => pdfium.FPDFText_HasUnicodeMapError(text, index) === 1);
  pdfium.FPDFText_ClosePage(text);
  return { ...decoded, isIncomplete: decoded.isIncomplete || characters.length < count };
}

/** Returns the rotation that most visible glyphs have. */
export function findMainRotation(glyphs: readonly Glyph[]): Rotation {
  const counts = [0, 0, 0, 0];
  for (const { rotation, visible } of glyphs) if (visible) counts[rotation] = (counts[rotation] ?? 0) + 1;
  return ROTATIONS[counts.indexOf(Math.max(...counts))] ?? 0;
}

function readGlyph(scratch: GlyphScratch, text: number, index: number, { isBold }: PageFont): Glyph {
  const { address, pdfium } = scratch;
  pdfium.FPDFText_GetMatrix(text, index, address);
  const [a = 1, b = 0, c = 0, d = 1] = scratch.floats;
  // Avoids `Math.hypot`, which is slow, for upright text.
  const scale = c === 0 ? Math.abs(d) : Math.hypot(c, d);
  pdfium.FPDFText_GetCharBox(text, index, address, address + 8, address + 16, address + 24);
  const [left = 0, right = 0, bottom = 0, top = 0] = scratch.doubles;
  const character = convertCodeToText(pdfium.FPDFText_GetUnicode(text, index));
  // The size is negative for a font that is drawn upside down.
  const size = pdfium.FPDFText_GetFontSize(text, index);
  return {
    text: character,
    visible: character.trim() !== '',
    left,
    right,
    bottom,
    top,
    size: Math.abs(size) * scale,
    bold: isBold,
    rotation: size < 0 ? computeRotation(-a, -b) : computeRotation(a, b),
    hyphen: pdfium.FPDFText_IsHyphen(text, index) === 1,
  };
}

/** Returns the rotation of text from the cosine and the sine of its angle, both multiplied by any positive number. */
function computeRotation(cosine: number, sine: number): Rotation {
  if (Math.abs(cosine) >= Math.abs(sine)) return cosine < 0 ? 2 : 0;
  return sine < 0 ? 3 : 1;
}

/**
 * Converts the Unicode value that pdfium returns for a glyph to text. If the value is half of a surrogate pair, the
 * text is only this half. A value outside Unicode, which a damaged font can cause, becomes U+FFFD.
 */
function convertCodeToText(code: number): string {
  return code < 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}
