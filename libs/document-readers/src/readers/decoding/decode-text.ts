import { isUtf8 } from 'node:buffer';
import { detectLegacyEncoding } from './legacy-encoding.js';
import { decodeUnicode, detectUnicodeForm } from './unicode-form.js';

/** Minimum ratio of valid non-ASCII characters to invalid characters at which bytes count as damaged UTF-8. */
const MIN_VALID_RATIO = 10;

/**
 * Decodes bytes of unknown encoding. Uses the encoding of a byte order mark, or UTF-8 if the bytes are valid UTF-8, or
 * else the most likely legacy encoding. Converts line ends to `\n`.
 */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  return (await decodeInDetectedEncoding(bytes)).replace(/\r\n?/g, '\n');
}

async function decodeInDetectedEncoding(bytes: Uint8Array): Promise<string> {
  const form = detectUnicodeForm(bytes);
  if (form !== undefined) return decodeUnicode(form, bytes);
  if (isIso2022Jp(bytes)) return new TextDecoder('iso-2022-jp').decode(bytes);
  if (isUtf8(bytes)) return decodeUnicode('utf-8', bytes);
  const damaged = decodeUnicode('utf-8', bytes);
  return isMostlyValidText(damaged) ? damaged : new TextDecoder(await detectLegacyEncoding(bytes)).decode(bytes);
}

/** Returns whether the bytes contain an escape sequence of ISO-2022-JP, a 7-bit encoding of Japanese mail. */
function isIso2022Jp(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(0x1b);
  return at >= 0 && bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42);
}

function isMostlyValidText(text: string): boolean {
  let invalid = 0;
  let valid = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) invalid += 1;
    else if (code > 0x7f) valid += 1;
  }
  return valid >= invalid * MIN_VALID_RATIO;
}
