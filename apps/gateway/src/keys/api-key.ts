import { createHash, randomBytes } from 'node:crypto';

const MAX_PREFIX_LENGTH = 10;

/** A new key: `qk_` and 256 random bits. */
export function newApiKey(): string {
  return `qk_${randomBytes(32).toString('base64url')}`;
}

/** What is kept of a key, in hexadecimal. A key has 256 random bits, so a fast hash is as good as a slow one. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The part of a key that may be shown: of a short key, which an operator may choose, a quarter. */
export function visiblePrefix(key: string): string {
  return key.slice(0, Math.min(MAX_PREFIX_LENGTH, Math.floor(key.length / 4)));
}
