import { isUtf8 } from 'node:buffer';

const SAMPLE = 4_096;
/** Of text in a wide form, most often half or more is zero. */
const MANY_ZEROS = 0.15;

export type UnicodeForm = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** The longer ones first: a mark of UTF-32 begins with one of UTF-16. */
const MARKS: readonly (readonly [UnicodeForm, readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
];

const WIDE: readonly UnicodeForm[] = ['utf-32le', 'utf-32be', 'utf-16le', 'utf-16be'];
/** What no text is made of: control characters, code points without a character, and halves of one. */
const MEANINGLESS = /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;
const WHITE = /[\t\n\r\f\u0085]/g;
const ASCII = /[\n\r\t -~]/g;

/** Which form of Unicode bytes are in, by their mark, or, in the wide forms, by reading as text. Undefined where neither says so. */
export function unicodeFormOf(bytes: Uint8Array): UnicodeForm | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  if (marked !== undefined) return marked;
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = sample.filter((byte) => byte === 0).length;
  if (zeros === 0 || (zeros < sample.length * MANY_ZEROS && isUtf8(bytes))) return undefined;
  const readings = WIDE.map((form) => ({ form, ascii: asciiIn(decodeUnicode(form, evenly(sample, form))) }));
  const best = readings.reduce((most, reading) => (reading.ascii > most.ascii ? reading : most));
  return best.ascii > 0 ? best.form : undefined;
}

/** Without its mark. Of what is broken, each part becomes U+FFFD. */
export function decodeUnicode(form: UnicodeForm, bytes: Uint8Array): string {
  if (form === 'utf-32le' || form === 'utf-32be') return decodeUtf32(bytes, form === 'utf-32le');
  return new TextDecoder(form).decode(bytes);
}

/** The Encoding Standard leaves UTF-32 out. */
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

/** A sample's last character may be torn. */
function evenly(sample: Uint8Array, form: UnicodeForm): Uint8Array {
  const width = form.startsWith('utf-32') ? 4 : 2;
  return sample.subarray(0, sample.length - (sample.length % width));
}

/** How many characters of a text every alphabet shares; none when it is no text. In the wrong form nearly none are left. */
function asciiIn(text: string): number {
  const meaningless = (text.match(MEANINGLESS)?.length ?? 0) - (text.match(WHITE)?.length ?? 0);
  return meaningless > 1 + text.length / 100 ? 0 : (text.match(ASCII)?.length ?? 0);
}
