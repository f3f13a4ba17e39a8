import type { Exports } from './pdfium-instance.js';

const TURNS = [0, 1, 2, 3] as const;
export type Turn = (typeof TURNS)[number];

/** A character and the box it is drawn in, in points from the lower left corner of the page. */
export interface Glyph {
  readonly text: string;
  /** Not white space. */
  readonly drawn: boolean;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  /** As drawn, in points. */
  readonly size: number;
  readonly bold: boolean;
  /** In quarters of a circle, counterclockwise: text that runs up the page has 1. */
  readonly turn: Turn;
  /** A hyphen at the end of a line, in a word that goes on in the next line. */
  readonly hyphen: boolean;
}

/** How much memory of pdfium's reading a page's characters takes. */
export const SCRATCH_BYTES = 256;
/** The weight that pdfium gives is a guess in most documents; the font's name is not. */
const BOLD = /bold|black|heavy|demi|-medi\b/i;

/**
 * @param page its handle
 * @param scratch where `SCRATCH_BYTES` are free
 * @returns its characters in the order of its content; `\n` ends a line
 */
export function glyphsOf(pdfium: Exports, page: number, scratch: number): readonly Glyph[] {
  const view = new Scratch(pdfium, scratch);
  let glyphs = glyphsOfPage(pdfium, page, view);
  // pdfium sorts a line's parts as they stand when the page is shown. They are in order where it is shown as it is read.
  const turn = mainTurnOf(glyphs);
  if (turn !== pdfium.FPDFPage_GetRotation(page)) {
    pdfium.FPDFPage_SetRotation(page, turn);
    glyphs = glyphsOfPage(pdfium, page, view);
  }
  return glyphs;
}

function glyphsOfPage(pdfium: Exports, page: number, view: Scratch): readonly Glyph[] {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return [];
  const count = pdfium.FPDFText_CountChars(text);
  const glyphs: Glyph[] = [];
  for (let at = 0; at < count; at += 1) glyphs.push(glyphOf(pdfium, text, at, view));
  pdfium.FPDFText_ClosePage(text);
  return glyphs;
}

/** How most of the characters are turned. */
export function mainTurnOf(glyphs: readonly Glyph[]): Turn {
  const counts = [0, 0, 0, 0];
  for (const { turn, drawn } of glyphs) if (drawn) counts[turn] = (counts[turn] ?? 0) + 1;
  return TURNS[counts.indexOf(Math.max(...counts))] ?? 0;
}

/** Where pdfium writes what it has more of than one number. The memory moves when it grows: then the views are made again. */
class Scratch {
  readonly address: number;
  readonly #pdfium: Exports;
  #memory: ArrayBuffer | undefined;
  #floats = new Float32Array();
  #doubles = new Float64Array();
  #bytes = new Uint8Array();
  #font = { name: Buffer.alloc(0), isBold: false };

  constructor(pdfium: Exports, address: number) {
    this.#pdfium = pdfium;
    this.address = address;
  }

  get floats(): Float32Array {
    this.#renew();
    return this.#floats;
  }

  get doubles(): Float64Array {
    this.#renew();
    return this.#doubles;
  }

  /** Whether the font is bold whose name of `length` bytes stands here: most often it is that of the character before. */
  isBoldFont(length: number): boolean {
    this.#renew();
    const name = this.#bytes.subarray(0, length);
    if (!this.#font.name.equals(name)) {
      this.#font = { name: Buffer.from(name), isBold: BOLD.test(Buffer.from(name).toString('latin1')) };
    }
    return this.#font.isBold;
  }

  #renew(): void {
    if (this.#memory === this.#pdfium.memory.buffer) return;
    this.#memory = this.#pdfium.memory.buffer;
    this.#floats = new Float32Array(this.#memory, this.address, 6);
    this.#doubles = new Float64Array(this.#memory, this.address, 4);
    this.#bytes = new Uint8Array(this.#memory, this.address, SCRATCH_BYTES);
  }
}

function glyphOf(pdfium: Exports, text: number, index: number, scratch: Scratch): Glyph {
  const { address } = scratch;
  pdfium.FPDFText_GetMatrix(text, index, address);
  const [a = 1, b = 0, c = 0, d = 1] = scratch.floats;
  // Most text stands upright, and the general way takes long for a character.
  const scale = c === 0 ? Math.abs(d) : Math.hypot(c, d);
  pdfium.FPDFText_GetCharBox(text, index, address, address + 8, address + 16, address + 24);
  const [left = 0, right = 0, bottom = 0, top = 0] = scratch.doubles;
  const character = characterOf(pdfium.FPDFText_GetUnicode(text, index));
  // Below zero where a font is drawn upside down, most often on a page that is so too.
  const size = pdfium.FPDFText_GetFontSize(text, index);
  return {
    text: character,
    drawn: character.trim() !== '',
    left,
    right,
    bottom,
    top,
    size: Math.abs(size) * scale,
    bold: isBold(pdfium, text, index, scratch),
    turn: size < 0 ? turnOf(-a, -b) : turnOf(a, b),
    hyphen: pdfium.FPDFText_IsHyphen(text, index) === 1,
  };
}

/** Of text whose next character stands `a` further to the right, and `b` further up. */
function turnOf(a: number, b: number): Turn {
  if (Math.abs(a) >= Math.abs(b)) return a < 0 ? 2 : 0;
  return b < 0 ? 3 : 1;
}

function isBold(pdfium: Exports, text: number, index: number, scratch: Scratch): boolean {
  const { address } = scratch;
  const flags = address + SCRATCH_BYTES - 4;
  const length = pdfium.FPDFText_GetFontInfo(text, index, address, SCRATCH_BYTES - 4, flags);
  if (length < 2 || length > SCRATCH_BYTES - 4) return false;
  return scratch.isBoldFont(length - 1);
}

/** pdfium gives UTF-16 units where a font maps a glyph so, and values beyond Unicode, even below zero, where a font is broken. */
function characterOf(code: number): string {
  return code < 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}
