/** How far into a page its charset may be declared; the HTML standard looks at 1,024 bytes, pages are not always so kind. */
const PRESCAN_BYTES = 4_096;
const META_CHARSET = /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i;
const XML_ENCODING = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/i;

/** The charset that servers send when nobody told them one. */
const UNRELIABLE = 'windows-1252';
const FALLBACK = 'windows-1252';

export interface DecodedText {
  readonly text: string;
  /** As the Encoding standard names it, such as `shift_jis`. */
  readonly charset: string;
}

/**
 * Decodes text of the web: by its byte order mark, else the charset of the response's header, else the one declared inside, else as
 * UTF-8 where its bytes are that, else as windows-1252. Bytes that do not fit become U+FFFD.
 *
 * @param headerCharset the `charset` of `Content-Type`
 */
export function decodeWebText(bytes: Uint8Array, headerCharset: string | undefined): DecodedText {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return decode(bytes, mark);
  const declared = knownCharset(headerCharset) ?? knownCharset(declaredInside(bytes));
  if (declared !== undefined && declared !== UNRELIABLE) return decode(bytes, declared);
  const text = asUtf8(bytes);
  // What is well-formed UTF-8 beyond ASCII was hardly meant as anything else.
  if (text !== undefined) return { text, charset: 'utf-8' };
  return decode(bytes, declared ?? FALLBACK);
}

function decode(bytes: Uint8Array, charset: string): DecodedText {
  return { text: new TextDecoder(charset).decode(bytes), charset };
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

function declaredInside(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(PRESCAN_BYTES, bytes.byteLength)).toString(
    'latin1',
  );
  const declared = (META_CHARSET.exec(start) ?? XML_ENCODING.exec(start))?.[1];
  // A declaration that could be read as ASCII is not in UTF-16, whatever it says.
  return declared !== undefined && /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

/** @returns the charset's name in the Encoding standard; undefined when it knows none of that label */
export function knownCharset(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
