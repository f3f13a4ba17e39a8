/**
 * Number of bytes at the start of a text that are searched for a charset declaration. The HTML standard searches 1,024,
 * but some pages declare the charset later.
 */
const PRESCAN_BYTES = 4_096;
const META_CHARSET = /<meta\s[^>]*?charset\s*=[\s"']*([^\s"'/>;]+)/i;
const XML_ENCODING = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/i;

/** The charset that many servers declare by default, even for content in another charset. */
const UNRELIABLE = 'windows-1252';
const FALLBACK = 'windows-1252';

export interface DecodedText {
  readonly text: string;
  /** The name of the charset in the Encoding standard, such as `shift_jis`. */
  readonly charset: string;
}

/**
 * Decodes text from the web. The charset comes from the first of these that exists: the byte order mark, the header,
 * the declaration in the content. If there is none, or if it is windows-1252, the charset is UTF-8 if the bytes are
 * valid UTF-8, otherwise windows-1252. Invalid bytes become U+FFFD.
 *
 * @param headerCharset the parameter `charset` of the header `Content-Type`
 */
export function decodeWebText(bytes: Uint8Array, headerCharset: string | undefined): DecodedText {
  const mark = detectByteOrderMark(bytes);
  if (mark !== undefined) return decodeBytes(bytes, mark);
  const declared = normalizeCharset(headerCharset) ?? normalizeDeclaredCharset(findDeclaredCharset(bytes));
  if (declared !== undefined && declared !== UNRELIABLE) return decodeBytes(bytes, declared);
  const text = decodeStrictUtf8(bytes);
  // Text in another charset is rarely valid UTF-8 by chance.
  if (text !== undefined) return { text, charset: 'utf-8' };
  return decodeBytes(bytes, declared ?? FALLBACK);
}

function decodeBytes(bytes: Uint8Array, charset: string): DecodedText {
  return { text: new TextDecoder(charset).decode(bytes), charset };
}

function decodeStrictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function detectByteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

function findDeclaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(PRESCAN_BYTES, bytes.byteLength)).toString(
    'latin1',
  );
  return (META_CHARSET.exec(start) ?? XML_ENCODING.exec(start))?.[1];
}

/**
 * Normalizes a charset label that the text itself contains, as `normalizeCharset` does. A declaration that is readable
 * as ASCII cannot be in UTF-16, so UTF-8 replaces UTF-16.
 */
export function normalizeDeclaredCharset(label: string | undefined): string | undefined {
  const charset = normalizeCharset(label);
  return charset?.startsWith('utf-16') === true ? 'utf-8' : charset;
}

/**
 * Returns the name that the Encoding standard defines for a charset label, such as `utf-8` for `UTF8`. Returns
 * undefined for an unknown label.
 */
export function normalizeCharset(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
