const DECLARED = /^<\?xml[^<>]*?\sencoding\s*=\s*["']([\w-]+)["']/;
const DECLARATION_BYTES = 200;

/** Decodes an XML document in the encoding that its first bytes indicate. Source: XML 1.0, appendix F. */
export function decodeXml(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes)).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const declared = DECLARED.exec(head)?.[1] ?? 'utf-8';
  // A document that declares UTF-16 in single bytes is UTF-8.
  return /^utf-16/i.test(declared) ? 'utf-8' : declared;
}
