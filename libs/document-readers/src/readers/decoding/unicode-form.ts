import { isUtf8 } from 'node:buffer';

const SAMPLE_BYTES = 4_096;
/**
 * Minimum share of zero bytes at which bytes may be UTF-16 or UTF-32. In most texts in these encodings, at least half
 * of the bytes are zero.
 */
const MIN_ZERO_SHARE = 0.15;

export type UnicodeForm = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** Lists byte order marks, longer ones first, because the mark of UTF-32 begins with the mark of UTF-16. */
const BYTE_ORDER_MARKS: readonly (readonly [UnicodeForm, readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
];

const WIDE: readonly UnicodeForm[] = ['utf-32le', 'utf-32be', 'utf-16le', 'utf-16be'];
/**
 * Matches characters that do not occur in text: control characters, unassigned and private code points, and lone
 * surrogates.
 */
const MEANINGLESS = /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;
const WHITE = /[\t\n\r\f\u0085]/g;
const ASCII = /[\n\r\t -~]/g;

/**
 * Detects the Unicode encoding of bytes by the byte order mark, or by decoding a sample as UTF-16 and UTF-32. Returns
 * undefined if neither succeeds.
 */
export function detectUnicodeForm(bytes: Uint8Array): UnicodeForm | undefined {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  if (marked !== undefined) return marked;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = sample.filter((byte) => byte === 0).length;
  if (zeros === 0 || (zeros < sample.length * MIN_ZERO_SHARE && isUtf8(bytes))) return undefined;
  const readings = WIDE.map((form) => ({
    form,
    ascii: countAsciiCharacters(decodeUnicode(form, removeIncompleteCharacter(sample, form))),
  }));
  const best = readings.reduce((most, reading) => (reading.ascii > most.ascii ? reading : most));
  return best.ascii > 0 ? best.form : undefined;
}

/** Decodes bytes without their byte order mark. Invalid sequences become U+FFFD. */
export function decodeUnicode(form: UnicodeForm, bytes: Uint8Array): string {
  if (form === 'utf-32le' || form === 'utf-32be') return decodeUtf32(bytes, form === 'utf-32le');
  return new TextDecoder(form).decode(bytes);
}

/** Decodes UTF-32, which the Encoding Standard does not include. */
function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, littleEndian);
    parts.push(code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code));
  }
  return parts
    .join('')
    .replace(/^\ufeff/, '')
    .toWellFormed();
}

/** Removes the bytes of an incomplete character at the end of a sample. */
function removeIncompleteCharacter(sample: Uint8Array, form: UnicodeForm): Uint8Array {
  const width = form.startsWith('utf-32') ? 4 : 2;
  return sample.subarray(0, sample.length - (sample.length % width));
}

/**
 * Counts the ASCII characters of a decoded sample. Returns 0 if the sample contains characters that do not occur in
 * text. Decoding with the wrong encoding yields almost no ASCII characters.
 */
function countAsciiCharacters(text: string): number {
  const meaningless = (text.match(MEANINGLESS)?.length ?? 0) - (text.match(WHITE)?.length ?? 0);
  return meaningless > 1 + text.length / 100 ? 0 : (text.match(ASCII)?.length ?? 0);
}
