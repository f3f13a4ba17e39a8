import { ReadingFailed } from '../reader.js';
import { takeInstance, type Exports } from './pdfium-instance.js';

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
  /** Not turned on its side. */
  readonly upright: boolean;
  /** A hyphen at the end of a line, in a word that goes on in the next line. */
  readonly hyphen: boolean;
}

export interface PdfFile {
  readonly pages: number;
  /** @param index from 0 @returns the page's characters in the order of its content; `\n` ends a line */
  glyphs(index: number): readonly Glyph[];
  /** Gives back what the file was read with. Not called, where reading has failed: then it is not used again. */
  close(): void;
}

const PASSWORD_NEEDED = 4;
const SECURITY_UNSUPPORTED = 5;
const ERRORS: Readonly<Record<number, string>> = {
  [PASSWORD_NEEDED]: 'it is protected by a password',
  [SECURITY_UNSUPPORTED]: 'it is protected in a way that is not supported',
};

/** @throws ReadingFailed with `file_encrypted` or `file_unreadable` */
export async function openPdf(bytes: Uint8Array): Promise<PdfFile> {
  const instance = await takeInstance();
  const pdfium = instance.exports;
  const data = pdfium.malloc(bytes.length);
  if (data === 0) throw new ReadingFailed('reading_out_of_memory', `${bytes.length} bytes of PDF find no room`);
  new Uint8Array(pdfium.memory.buffer, data, bytes.length).set(bytes);
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, 0);
  if (document === 0) throw failure(pdfium.FPDF_GetLastError());
  const pages = pdfium.FPDF_GetPageCount(document);
  if (pages === 0) throw new ReadingFailed('file_unreadable', 'The PDF is damaged: no page can be found in it.');
  const scratch = pdfium.malloc(SCRATCH_BYTES);
  return {
    pages,
    glyphs: (index) => glyphsOf(pdfium, document, index, scratch),
    close: () => {
      instance.giveBack();
    },
  };
}

function failure(code: number): ReadingFailed {
  const encrypted = ERRORS[code];
  if (encrypted !== undefined) return new ReadingFailed('file_encrypted', `The PDF cannot be opened: ${encrypted}.`);
  return new ReadingFailed(
    'file_unreadable',
    'The PDF is damaged: it cannot be opened, not even by searching it for pages.',
  );
}

const SCRATCH_BYTES = 256;
/** The weight that pdfium gives is a guess in most documents; the font's name is not. */
const BOLD = /bold|black|heavy|demi|-medi\b/i;

function glyphsOf(pdfium: Exports, document: number, index: number, scratch: number): readonly Glyph[] {
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page === 0) return [];
  const text = pdfium.FPDFText_LoadPage(page);
  const count = text === 0 ? 0 : pdfium.FPDFText_CountChars(text);
  const view = new Scratch(pdfium, scratch);
  const glyphs: Glyph[] = [];
  for (let at = 0; at < count; at += 1) glyphs.push(glyphOf(pdfium, text, at, view));
  if (text !== 0) pdfium.FPDFText_ClosePage(text);
  pdfium.FPDF_ClosePage(page);
  return glyphs;
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
  const [, , c = 0, d = 1] = scratch.floats;
  // Most text stands upright, and the general way takes long for a character.
  const scale = c === 0 ? Math.abs(d) : Math.hypot(c, d);
  const upright = Math.abs(d) >= Math.abs(c);
  pdfium.FPDFText_GetCharBox(text, index, address, address + 8, address + 16, address + 24);
  const [left = 0, right = 0, bottom = 0, top = 0] = scratch.doubles;
  const character = characterOf(pdfium.FPDFText_GetUnicode(text, index));
  return {
    text: character,
    drawn: character.trim() !== '',
    left,
    right,
    bottom,
    top,
    size: pdfium.FPDFText_GetFontSize(text, index) * scale,
    bold: isBold(pdfium, text, index, scratch),
    upright,
    hyphen: pdfium.FPDFText_IsHyphen(text, index) === 1,
  };
}

function isBold(pdfium: Exports, text: number, index: number, scratch: Scratch): boolean {
  const { address } = scratch;
  const flags = address + SCRATCH_BYTES - 4;
  const length = pdfium.FPDFText_GetFontInfo(text, index, address, SCRATCH_BYTES - 4, flags);
  if (length < 2 || length > SCRATCH_BYTES - 4) return false;
  return scratch.isBoldFont(length - 1);
}

/** pdfium gives UTF-16 units where a font maps a glyph so, and values beyond Unicode where a font is broken. */
function characterOf(code: number): string {
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}
