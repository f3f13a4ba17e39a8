import { PdfObjects } from './pdf-objects.js';

/**
 * Matches the predefined CMaps that pdfium decodes: those of ISO 32000-1, table 118, except `CNS-EUC`, and some others. Of any
 * other CMap, pdfium returns the codes as characters.
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
/** Matches the CMaps whose codes all have two bytes. pdfium then reads the codes, and needs only a map to Unicode. */
const TWO_BYTES = /^(?:78|Add|Ext|NWP|GB|GBT|KSC|CNS1|CNS2)-[HV]$/;

/**
 * Finds the composite fonts whose text pdfium decodes wrongly, because of their CMap. Their characters look valid.
 *
 * @returns the names of the fonts in Latin-1
 */
export function findUnsupportedFonts(pdf: Uint8Array): ReadonlySet<string> {
  const objects = new PdfObjects(pdf);
  const fonts = objects.findDictionaries('/Type0').filter((font) => !isSupported(font, objects));
  return new Set(fonts.flatMap((font) => listNames(font, objects)));
}

function isSupported(font: string, objects: PdfObjects): boolean {
  const encoding = resolveValue(font, 'Encoding', objects);
  const cmap = readName(encoding);
  if (cmap === undefined) return !encoding.includes('/UseCMap');
  return SUPPORTED.test(cmap) || (TWO_BYTES.test(cmap) && font.includes('/ToUnicode'));
}

/** Lists the names of a font and its descendant, which pdfium reports. */
function listNames(font: string, objects: PdfObjects): readonly string[] {
  const descendants = resolveValue(font, 'DescendantFonts', objects);
  const reference = /^\[\s*(\d+)\s+\d+\s+R/.exec(descendants)?.[1];
  const descendant = reference === undefined ? descendants : (objects.readObject(reference) ?? '');
  return [font, descendant].flatMap((dictionary) => readName(findValue(dictionary, 'BaseFont')) ?? []);
}

/** Returns the text at the value of a key, or at the object to which it refers. Empty if there is none. */
function resolveValue(dictionary: string, key: string, objects: PdfObjects): string {
  const value = findValue(dictionary, key);
  const reference = /^(\d+)\s+\d+\s+R/.exec(value)?.[1];
  return reference === undefined ? value : (objects.readObject(reference) ?? '');
}

function findValue(dictionary: string, key: string): string {
  const found = new RegExp(`/${key}(?![\\w-])\\s*`).exec(dictionary);
  return found === null ? '' : dictionary.slice(found.index + found[0].length);
}

/** Reads a name at the start of a text. Source: ISO 32000-1, section 7.3.5. */
function readName(text: string): string | undefined {
  const name = /^\/([^\s/<>[\](){}%]*)/.exec(text)?.[1];
  return name?.replace(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
