import { createHash, randomBytes } from 'node:crypto';

const MAX_PREFIX_LENGTH = 10;

/** Creates a key: `qk_` and 256 random bits. */
export function generateApiKey(): string {
  return `qk_${randomBytes(32).toString('base64url')}`;
}

/** Hashes a key for storage. Returns hexadecimal. A key has 256 random bits, so a fast hash is as secure as a slow one. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Returns the part of a key that may be displayed: at most a quarter of a short key, which an operator can choose. */
export function getVisiblePrefix(key: string): string {
  return key.slice(0, Math.min(MAX_PREFIX_LENGTH, Math.floor(key.length / 4)));
}
