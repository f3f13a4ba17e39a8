import { createHash, randomBytes } from 'node:crypto';

const MAX_PREFIX_LENGTH = 10;

/** Generates the text of an API key: `qk_` and 256 random bits in base64url. */
export function generateApiKey(): string {
  return `qk_${randomBytes(32).toString('base64url')}`;
}

/** Computes the hash of an API key that is stored: SHA-256 in hexadecimal. A fast hash is secure, because keys are random. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Returns the beginning of an API key that may be displayed: 10 characters, or a quarter of a short key that an operator chose. */
export function getVisiblePrefix(key: string): string {
  return key.slice(0, Math.min(MAX_PREFIX_LENGTH, Math.floor(key.length / 4)));
}
