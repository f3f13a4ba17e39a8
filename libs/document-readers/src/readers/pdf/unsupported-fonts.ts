import type { WrongFonts } from './glyph-scratch.js';
import { PdfObjects } from './pdf-objects.js';

/**
 * Matches the predefined CMaps that pdfium decodes: the CMaps of ISO 32000-1, table 118, except `CNS-EUC`, and some
 * further CMaps. With any other CMap, pdfium returns the codes as characters.
 */
const SUPPORTED = new RegExp(
  `^(?:${[
    'Identity-[HV]',
    'GB-EUC-[HV]|GBpc-EUC-[HV]|GBKp?-EUC-[HV]|GBK2K-[HV]',
    '(?:B5pc|HKscs-B5|ETen-B5|ETenms-B5)-[HV]',
    '83pv-RKSJ-H|90pv-RKSJ-H|(?:90msp?|Add|Ext)-RKSJ-[HV]|EUC-[HV]|H|V',
    'KSC-EUC-[HV]|KSCms-UHC(?:-HW)?-[HV]|KSCpc-EUC-H',
    'Uni(?:GB|CNS|JIS|KS)-(?:UCS2|UTF16)-[HV]|UniJIS-UCS2-HW-[HV]|UniJIS2004-UTF16-[HV]|UniJISPro-UCS2(?:-HW)?-V',
  ].join('|')})$`,
);
/**
 * Matches the CMaps whose codes all have two bytes. pdfium reads such codes, and decodes them if the font has a map to
 * Unicode.
 */
const TWO_BYTES = /^(?:78|Add|Ext|NWP|GB|GBT|KSC|CNS1|CNS2)-[HV]$/;

/** Matches the CMaps that map each code of two bytes to the glyph with the same number. */
const IDENTITY = /^Identity-[HV]$/;
/**
 * Matches the statement by which an embedded CMap includes another CMap. Source: Adobe Technical Note 5014, section
 * 4.3.
 */
const USED_CMAP = /\/([^\s/<>[\](){}%]+)\s+usecmap\b/;

/**
 * Finds the composite fonts whose text pdfium decodes wrongly, because of their CMap, or because no map to Unicode
 * exists.
 */
export function findWronglyDecodedFonts(pdf: Uint8Array): WrongFonts {
  const objects = new PdfObjects(pdf);
  const fonts = objects.findDictionaries('/Type0');
  const listNamesOfFonts = (isWrong: (font: string) => boolean): ReadonlySet<string> =>
    new Set(fonts.filter(isWrong).flatMap((font) => listFontNames(font, objects)));
  return {
    unsupported: listNamesOfFonts((font) => !isFontSupported(font, objects)),
    unmapped: listNamesOfFonts((font) => isUnmappedFont(font, objects)),
  };
}

function isFontSupported(font: string, objects: PdfObjects): boolean {
  const { cmap, used } = readFontEncoding(font, objects);
  if (cmap !== undefined) return SUPPORTED.test(cmap) || (TWO_BYTES.test(cmap) && hasUnicodeMap(font));
  // pdfium ignores a CMap that the embedded CMap includes with `usecmap`, and reads codes of two bytes.
  return used === undefined || (hasUnicodeMap(font) && (IDENTITY.test(used) || TWO_BYTES.test(used)));
}

interface FontEncoding {
  /** Name of a predefined CMap. Undefined if the font embeds a CMap. */
  readonly cmap?: string;
  /**
   * Name of the predefined CMap that the embedded CMap includes. Empty if the name is unknown. Undefined if the
   * embedded CMap includes none.
   */
  readonly used?: string;
}

function readFontEncoding(font: string, objects: PdfObjects): FontEncoding {
  const encoding = resolveValue(font, 'Encoding', objects);
  const cmap = parsePdfName(encoding);
  if (cmap !== undefined) return { cmap };
  const stream = parseReferencedObjectNumber(findDictionaryValue(font, 'Encoding'));
  const content = stream === undefined ? '' : (objects.readStreamStart(stream) ?? '');
  const used = USED_CMAP.exec(content.replace(/%.*/g, ''))?.[1];
  if (used !== undefined) return { used };
  return encoding.includes('/UseCMap') ? { used: parsePdfName(findDictionaryValue(encoding, 'UseCMap')) ?? '' } : {};
}

function hasUnicodeMap(font: string): boolean {
  return font.includes('/ToUnicode');
}

/**
 * Returns whether the codes of a font are glyph numbers, and the font has no map to Unicode. Returns false if the font
 * has a table that maps its codes to glyph numbers, because its codes can be Unicode values.
 */
function isUnmappedFont(font: string, objects: PdfObjects): boolean {
  if (hasUnicodeMap(font) || !IDENTITY.test(readFontEncoding(font, objects).cmap ?? '')) return false;
  return (
    parseReferencedObjectNumber(findDictionaryValue(readDescendantFont(font, objects), 'CIDToGIDMap')) === undefined
  );
}

/** Lists the names by which pdfium can report a font: the name of the font and the name of its descendant font. */
function listFontNames(font: string, objects: PdfObjects): readonly string[] {
  return [font, readDescendantFont(font, objects)].flatMap(
    (dictionary) => parsePdfName(findDictionaryValue(dictionary, 'BaseFont')) ?? [],
  );
}

function readDescendantFont(font: string, objects: PdfObjects): string {
  const descendants = resolveValue(font, 'DescendantFonts', objects);
  const reference = /^\[\s*(\d+)\s+\d+\s+R/.exec(descendants)?.[1];
  return reference === undefined ? descendants : (objects.readObject(reference) ?? '');
}

/**
 * Returns the text of a dictionary from the value of a key to its end. If the value is a reference, returns the
 * referenced object instead. Returns '' if the key or the object does not exist.
 */
function resolveValue(dictionary: string, key: string, objects: PdfObjects): string {
  const value = findDictionaryValue(dictionary, key);
  const reference = parseReferencedObjectNumber(value);
  return reference === undefined ? value : (objects.readObject(reference) ?? '');
}

/** Returns the number of the object to which a value refers, or undefined if the value is not a reference. */
function parseReferencedObjectNumber(value: string): string | undefined {
  return /^(\d+)\s+\d+\s+R/.exec(value)?.[1];
}

function findDictionaryValue(dictionary: string, key: string): string {
  const found = new RegExp(`/${key}(?![\\w-])\\s*`).exec(dictionary);
  return found === null ? '' : dictionary.slice(found.index + found[0].length);
}

/**
 * Reads the PDF name, such as `/Type0`, at the start of a text. Returns undefined if there is none. Source: ISO
 * 32000-1, section 7.3.5.
 */
function parsePdfName(text: string): string | undefined {
  const name = /^\/([^\s/<>[\](){}%]*)/.exec(text)?.[1];
  return name?.replace(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
