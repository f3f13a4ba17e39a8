import type { PdfiumExports } from './pdfium-instance.js';

/** Size of the scratch memory for reading the glyphs of a page, in bytes. */
export const SCRATCH_BYTES = 256;
/**
 * Matches the name of a bold font. The name is more reliable than the weight, which pdfium estimates for most
 * documents.
 */
const BOLD = /bold|black|heavy|demi|-medi\b/i;

/** Lists the fonts of a document in which pdfium decodes text wrongly. The names of the fonts are in Latin-1. */
export interface WrongFonts {
  /** Names of fonts with a CMap that pdfium does not support. */
  readonly unsupported: ReadonlySet<string>;
  /**
   * Names of composite fonts without a map to Unicode. pdfium decodes a character in such a font correctly only if it
   * finds a Unicode value by other means.
   */
  readonly unmapped: ReadonlySet<string>;
}

/** Describes a font of a page. */
export interface PageFont {
  /** Name of the font, in Latin-1. */
  readonly name: Buffer;
  readonly isBold: boolean;
  /** False if the font has a CMap that pdfium does not support, so that its text is decoded wrongly. */
  readonly isSupported: boolean;
  readonly isEmbedded: boolean;
  /** True if the font is a composite font without a map to Unicode. */
  readonly isUnmapped: boolean;
}

const OTHER_FONT: PageFont = {
  ...{ name: Buffer.alloc(0), isBold: false, isSupported: true },
  ...{ isEmbedded: false, isUnmapped: false },
};

/**
 * Provides memory into which pdfium writes results that consist of several numbers, and caches the fonts of a page.
 * Creates the views of the WebAssembly memory again after the memory has grown, because growing replaces its buffer.
 */
export class GlyphScratch {
  readonly pdfium: PdfiumExports;
  readonly address: number;
  readonly #wrongFonts: WrongFonts;
  #memory: ArrayBuffer | undefined;
  #floats = new Float32Array();
  #doubles = new Float64Array();
  #bytes = new Uint8Array();
  #font: PageFont | undefined;
  readonly #fonts: PageFont[] = [];

  constructor(pdfium: PdfiumExports, address: number, fonts: WrongFonts) {
    this.pdfium = pdfium;
    this.#wrongFonts = fonts;
    this.address = address;
  }

  get floats(): Float32Array {
    this.#renewMemoryViews();
    return this.#floats;
  }

  get doubles(): Float64Array {
    this.#renewMemoryViews();
    return this.#doubles;
  }

  /** Reads the font of a glyph. @param text handle of the text of the page */
  readFont(text: number, index: number): PageFont {
    const size = SCRATCH_BYTES - 4;
    const length = this.pdfium.FPDFText_GetFontInfo(text, index, this.address, size, this.address + size);
    if (length < 1 || length > size) return OTHER_FONT;
    this.#renewMemoryViews();
    const name = this.#bytes.subarray(0, length - 1);
    if (this.#font?.name.equals(name)) return this.#font;
    this.#font = this.#fonts.find((font) => font.name.equals(name)) ?? this.#addFont(Buffer.from(name), text, index);
    return this.#font;
  }

  #addFont(name: Buffer, text: number, index: number): PageFont {
    const object = this.pdfium.FPDFText_GetTextObject(text, index);
    const font = object === 0 ? 0 : this.pdfium.FPDFTextObj_GetFont(object);
    const latin1 = name.toString('latin1');
    const added = {
      ...{ name, isBold: BOLD.test(latin1), isSupported: !this.#wrongFonts.unsupported.has(latin1) },
      isEmbedded: font !== 0 && this.pdfium.FPDFFont_GetIsEmbedded(font) === 1,
      isUnmapped: this.#wrongFonts.unmapped.has(latin1),
    };
    this.#fonts.push(added);
    return added;
  }

  #renewMemoryViews(): void {
    if (this.#memory === this.pdfium.memory.buffer) return;
    this.#memory = this.pdfium.memory.buffer;
    this.#floats = new Float32Array(this.#memory, this.address, 6);
    this.#doubles = new Float64Array(this.#memory, this.address, 4);
    this.#bytes = new Uint8Array(this.#memory, this.address, SCRATCH_BYTES);
  }
}
