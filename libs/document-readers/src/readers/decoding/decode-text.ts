import { isUtf8 } from 'node:buffer';
import { legacyEncodingOf } from './legacy-encoding.js';
import { decodeUnicode, unicodeFormOf } from './unicode-form.js';

/** With so many characters in UTF-8 to one that is broken, a text is in UTF-8 and damaged. */
const SOUND_TO_BROKEN = 10;

/**
 * Bytes of unknown encoding to text: by what marks it, else UTF-8 where they are that, else the encoding that makes most
 * sense of them. Line ends become `\n`.
 */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  return (await decoded(bytes)).replace(/\r\n?/g, '\n');
}

async function decoded(bytes: Uint8Array): Promise<string> {
  const form = unicodeFormOf(bytes);
  if (form !== undefined) return decodeUnicode(form, bytes);
  if (isIso2022Jp(bytes)) return new TextDecoder('iso-2022-jp').decode(bytes);
  if (isUtf8(bytes)) return decodeUnicode('utf-8', bytes);
  const damaged = decodeUnicode('utf-8', bytes);
  return isMostlySound(damaged) ? damaged : new TextDecoder(await legacyEncodingOf(bytes)).decode(bytes);
}

/** Japanese of seven bits, as mail has it: every byte is ASCII, and an escape says which of them are not. */
function isIso2022Jp(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(0x1b);
  return at >= 0 && bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42);
}

function isMostlySound(text: string): boolean {
  let broken = 0;
  let sound = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) broken += 1;
    else if (code > 0x7f) sound += 1;
  }
  return sound >= broken * SOUND_TO_BROKEN;
}
