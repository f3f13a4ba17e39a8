import { createHash } from 'node:crypto';

/** Hashes the type, title and content of a page. Pages with equal hashes are duplicates. @returns SHA-256 in base64url */
export function hashPage(mimeType: string, title: string, bytes: Uint8Array): string {
  return createHash('sha256').update(`${mimeType}\0${title}\0`).update(bytes).digest('base64url');
}
