import { MAX_RESPONSE_CHARACTERS } from '@quarry/contracts';
import type { SafeResponse } from '@quarry/safe-fetch';

/** Maximum number of bytes of a character in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 4;
/** Matches the media types whose content is text that people can read. */
const IS_TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml|javascript|x-www-form-urlencoded)\b)/i;
/** Matches control characters except tab and line feed. They are removed, because PostgreSQL stores no NUL in JSON. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]/gu;

/**
 * Reads the beginning of a response body as text, and discards the rest. Never throws.
 *
 * @returns at most `MAX_RESPONSE_CHARACTERS` characters; null if the body is empty or is not text
 */
export async function readResponseStart(response: Pick<SafeResponse, 'headers' | 'readStart'>): Promise<string | null> {
  const bytes = await response.readStart(MAX_RESPONSE_CHARACTERS * MAX_BYTES_PER_CHARACTER);
  if (!IS_TEXT.test(response.headers.get('content-type') ?? 'text/plain')) return null;
  // The bytes can end within a character. With `stream`, the decoder drops such a character.
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll(CONTROL_CHARACTERS, '');
  // Counts code points, so that no surrogate pair is split.
  const start = Array.from(text).slice(0, MAX_RESPONSE_CHARACTERS).join('');
  return start === '' ? null : start;
}
