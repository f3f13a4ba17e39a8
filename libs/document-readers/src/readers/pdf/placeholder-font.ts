/** Bounding rectangles of a narrow and a wide glyph, in thousandths of the font size: left, bottom, right, top. */
const NARROW_BOX = [50, -10, 450, 700] as const;
const WIDE_BOX = [40, -80, 960, 840] as const;
/**
 * Bounding rectangles of the glyphs, by glyph number. Glyph 0 is for characters that the font lacks, and pdfium ignores
 * it.
 */
const GLYPHS = [NARROW_BOX, NARROW_BOX, WIDE_BOX];
const NARROW = 1;
const WIDE = 2;
/**
 * Maps ranges from a first to a last code point to glyph numbers. Hangul, Han, kana and the punctuation of these
 * scripts are wide.
 */
const RANGES = [
  [0x0021, 0x10ff, NARROW],
  [0x1100, 0x11ff, WIDE],
  [0x1200, 0x200f, NARROW],
  [0x2010, 0xdfff, WIDE],
  [0xe000, 0xf8ff, NARROW],
  [0xf900, 0xff60, WIDE],
  [0xff61, 0xffdf, NARROW],
  [0xffe0, 0xffff, WIDE],
  [0x1b000, 0x3ffff, WIDE],
] as const;
const UNITS_PER_EM = 1_000;
const VERSION_1 = [0x0001, 0x0000];
const ON_CURVE = 1;
/** Magic number of the `head` table of a font. */
const MAGIC = [0x5f0f, 0x3cf5];

/**
 * Builds a TrueType font whose glyphs are rectangles, for text extraction without the real font. Source: the OpenType
 * specification, chapters `cmap` (format 13) and `glyf`.
 */
export function buildPlaceholderFont(): Uint8Array {
  const outlines = GLYPHS.map(buildGlyphOutline);
  const offsets = outlines.map((_, index) => outlines.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  const glyphData = Buffer.concat(outlines);
  return buildFontFile({
    cmap: buildCharacterMap(),
    glyf: glyphData,
    head: encodeUint16List([
      ...VERSION_1,
      ...VERSION_1,
      0,
      0,
      ...MAGIC,
      0,
      UNITS_PER_EM,
      ...createZeros(8),
      ...WIDE_BOX,
      0,
      8,
      2,
      1,
      0,
    ]),
    hhea: encodeUint16List([
      ...VERSION_1,
      880,
      -120,
      0,
      UNITS_PER_EM,
      0,
      0,
      UNITS_PER_EM,
      1,
      ...createZeros(7),
      GLYPHS.length,
    ]),
    hmtx: encodeUint16List(GLYPHS.flatMap((rectangle) => [UNITS_PER_EM, rectangle[0]])),
    loca: encodeUint16List([...offsets, glyphData.length].flatMap(splitIntoUint16Pair)),
    maxp: encodeUint16List([...VERSION_1, GLYPHS.length, 4, 1, 0, 0, 2, ...createZeros(8)]),
  });
}

/** Builds the outline of a glyph: one rectangle. */
function buildGlyphOutline([left, bottom, right, top]: (typeof GLYPHS)[number]): Buffer {
  const flags = Buffer.from([ON_CURVE, ON_CURVE, ON_CURVE, ON_CURVE]);
  const across = [left, 0, right - left, 0];
  const up = [bottom, top - bottom, 0, bottom - top];
  const header = encodeUint16List([1, left, bottom, right, top, 3, 0]);
  return padToMultipleOfFourBytes(Buffer.concat([header, flags, encodeUint16List([...across, ...up])]));
}

/** Builds a `cmap` table that maps all code points of a range to the same glyph. */
function buildCharacterMap(): Buffer {
  const groups = RANGES.map((range) => encodeUint16List(range.flatMap(splitIntoUint16Pair)));
  const length = 16 + 12 * groups.length;
  const header = encodeUint16List([
    0,
    1,
    3,
    10,
    ...splitIntoUint16Pair(12),
    13,
    0,
    ...[length, 0, groups.length].flatMap(splitIntoUint16Pair),
  ]);
  return Buffer.concat([header, ...groups]);
}

function buildFontFile(tables: Readonly<Record<string, Buffer>>): Uint8Array {
  const names = Object.keys(tables);
  const directory: Buffer[] = [encodeUint16List([...VERSION_1, names.length, 64, 2, names.length * 16 - 64])];
  const contents: Buffer[] = [];
  let offset = 12 + 16 * names.length;
  for (const [name, table] of Object.entries(tables)) {
    directory.push(
      Buffer.from(name, 'latin1'),
      encodeUint16List([0, offset, table.length].flatMap(splitIntoUint16Pair)),
    );
    contents.push(padToMultipleOfFourBytes(table));
    offset += padToMultipleOfFourBytes(table).length;
  }
  return Buffer.concat([...directory, ...contents]);
}

/** Encodes 16-bit numbers in big-endian order. */
function encodeUint16List(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, index * 2);
  return bytes;
}

function splitIntoUint16Pair(value: number): readonly number[] {
  return [value >>> 16, value & 0xffff];
}

function createZeros(count: number): readonly number[] {
  return Array.from({ length: count }, () => 0);
}

function padToMultipleOfFourBytes(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
