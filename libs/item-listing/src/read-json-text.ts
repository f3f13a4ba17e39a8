import { parseContentType } from '@quarry/http-responses';
import type { SafeResponse } from '@quarry/safe-fetch';

/**
 * Reads the body of a response as the text of a JSON document. The encoding is UTF-8 even if the header declares another
 * charset, because many servers add one charset to all responses (RFC 8259, sections 8.1 and 11). The declared charset
 * applies only to bytes that are not valid UTF-8.
 */
export async function readJsonText(response: SafeResponse): Promise<string> {
  const { charset = 'utf-8' } = parseContentType(response.headers.get('content-type'));
  const bytes = await response.bytes();
  return decodeStrictly(bytes, 'utf-8') ?? decodeStrictly(bytes, charset) ?? new TextDecoder().decode(bytes);
}

/** Decodes bytes. Returns undefined if the charset is unknown, or if the bytes are not valid in this charset. */
function decodeStrictly(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
