/** Maps jschardet's names of the supported legacy encodings to labels of the Encoding Standard. */
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
/**
 * Lists the possible encodings of text with bytes from 0x80 to 0x9f. These bytes are control characters in ISO 8859,
 * and letters in Windows encodings.
 */
const NAMES_WITHOUT_ISO_8859 = NAMES.filter((name) => !name.startsWith('iso8859'));
const OPTIONS = {
  noMatchEncoding: 'cp1252',
  preferSuperset: false,
  compatNames: false,
};
/** Encoding that is assumed if none is detected. It defines a character for every byte. */
const DEFAULT_ENCODING = 'windows-1252';

/** Number of selected bytes after which the sample for detecting the encoding is complete. */
const SAMPLE_BYTES = 32_768;
/** Maximum number of bytes of a line that the sample includes before the first non-ASCII byte of the line. */
const CONTEXT_BYTES = 500;
const LINE_END = 0x0a;

/**
 * Detects the encoding of bytes that are not Unicode, with models of the languages that are written in each encoding.
 * Returns a label that `TextDecoder` accepts.
 */
export async function detectLegacyEncoding(bytes: Uint8Array): Promise<string> {
  const sample = selectNonAsciiLines(bytes);
  if (isTooShortForDetection(sample)) return DEFAULT_ENCODING;
  // jschardet is loaded on demand, because its models take 70 MB of memory.
  const { chardet } = await import('jschardet');
  const includeEncodings = bytes.some(isC1ControlByte) ? NAMES_WITHOUT_ISO_8859 : NAMES;
  return LABELS[chardet.detect(sample, { ...OPTIONS, includeEncodings }).encoding ?? ''] ?? DEFAULT_ENCODING;
}

/**
 * Selects the lines with non-ASCII bytes, because pure ASCII lines would make any text look English. The bytes can be
 * split at line ends, because no encoding uses the byte of a line end inside a character.
 */
function selectNonAsciiLines(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < SAMPLE_BYTES;) {
    const found = bytes.indexOf(LINE_END, start);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(start, end);
    const nonAscii = line.findIndex(isNonAsciiByte);
    if (nonAscii >= 0) {
      const begin = Math.max(0, nonAscii - CONTEXT_BYTES);
      lines.push(line.subarray(begin, begin + SAMPLE_BYTES));
      size += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}

/**
 * Returns whether the sample is too short for detecting its language. The default encoding is then the best guess,
 * because most texts with such a sample are in western languages.
 */
function isTooShortForDetection(bytes: Uint8Array): boolean {
  const nonAscii = bytes.filter(isNonAsciiByte).length;
  const letters = bytes.filter(isAsciiLetterByte).length;
  return nonAscii < 4 ? letters < 30 : nonAscii < 6 && letters < 30 && nonAscii < 0.4 * (nonAscii + letters);
}

function isNonAsciiByte(byte: number): boolean {
  return byte > 0x7f;
}

function isC1ControlByte(byte: number): boolean {
  return byte > 0x7f && byte < 0xa0;
}

function isAsciiLetterByte(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
