/** What files are written in that are not in Unicode: jschardet's name, and that of the Encoding Standard. */
const LABELS: Readonly<Record<string, string>> = {
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1252: 'windows-1252',
  cp1253: 'windows-1253',
  cp1254: 'windows-1254',
  cp1255: 'windows-1255',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  cp1258: 'windows-1258',
  cp874: 'windows-874',
  cp866: 'ibm866',
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  'mac-roman': 'macintosh',
  'mac-cyrillic': 'x-mac-cyrillic',
  'iso8859-2': 'iso-8859-2',
  'iso8859-5': 'iso-8859-5',
  'iso8859-6': 'iso-8859-6',
  'iso8859-7': 'iso-8859-7',
  'iso8859-8': 'iso-8859-8',
  'iso8859-9': 'windows-1254',
  'iso8859-15': 'iso-8859-15',
  cp932: 'shift_jis',
  shift_jis_2004: 'shift_jis',
  euc_jis_2004: 'euc-jp',
  gb18030: 'gb18030',
  big5hkscs: 'big5',
  cp949: 'euc-kr',
};
const NAMES = Object.keys(LABELS);
/** In an encoding of ISO 8859, 0x80 to 0x9f are control characters; in those of Windows that are made from it, letters too. */
const NAMES_BUT_ISO = NAMES.filter((name) => !name.startsWith('iso8859'));
const OPTIONS = {
  noMatchEncoding: 'cp1252',
  preferSuperset: false,
  compatNames: false,
};
/** In which every byte means something. */
const USUAL = 'windows-1252';

/** How much is looked at, in bytes. */
const SAMPLE = 32_768;
/** Of a line that is long: what is looked at before its first character that is not ASCII. */
const CONTEXT = 500;
const LINE_END = 0x0a;

/**
 * The encoding of bytes that are no Unicode, as `TextDecoder` calls it: the one in which they make most sense by the
 * languages it is used for.
 */
export async function legacyEncodingOf(bytes: Uint8Array): Promise<string> {
  const telling = tellingLines(bytes);
  if (saysLittle(telling)) return USUAL;
  // Its models take 70 MB: a process that reads Unicode alone does without.
  const { chardet } = await import('jschardet');
  const includeEncodings = bytes.some(isUpperControl) ? NAMES_BUT_ISO : NAMES;
  return LABELS[chardet.detect(telling, { ...OPTIONS, includeEncodings }).encoding ?? ''] ?? USUAL;
}

/** Lines of ASCII alone say nothing, and would make any text look English. No encoding has a line end inside a character. */
function tellingLines(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < SAMPLE;) {
    const found = bytes.indexOf(LINE_END, start);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(start, end);
    const foreign = line.findIndex(isForeign);
    if (foreign >= 0) {
      const begin = Math.max(0, foreign - CONTEXT);
      lines.push(line.subarray(begin, begin + SAMPLE));
      size += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}

/** A word or two with an accent could be of many languages. Most are of western ones. */
function saysLittle(bytes: Uint8Array): boolean {
  const foreign = bytes.filter(isForeign).length;
  const letters = bytes.filter(isLetter).length;
  return foreign < 4 ? letters < 30 : foreign < 6 && letters < 30 && foreign < 0.4 * (foreign + letters);
}

function isForeign(byte: number): boolean {
  return byte > 0x7f;
}

function isUpperControl(byte: number): boolean {
  return byte > 0x7f && byte < 0xa0;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
