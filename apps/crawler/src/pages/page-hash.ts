import { createHash } from 'node:crypto';

/** What tells two pages apart for a reader: their type, title and content. @returns SHA-256 in base64url */
export function hashPage(mimeType: string, title: string, bytes: Uint8Array): string {
  return createHash('sha256').update(`${mimeType}\0${title}\0`).update(bytes).digest('base64url');
}
