import { createHash } from 'node:crypto';

/**
 * Computes a hash that differs between requests with different content. The order of an object's fields is ignored, because some
 * clients change it between requests.
 *
 * @returns SHA-256 in hexadecimal
 */
export function fingerprintOf(content: unknown): string {
  return sha256(JSON.stringify([sortFields(content)]));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  // The fields are pairs, because an object would sort fields that look like numbers and would not store `__proto__`.
  return {
    fields: Object.entries(value)
      .map(([name, field]) => [name, sortFields(field)])
      .toSorted(compareNames),
  };
}

function compareNames([left]: readonly unknown[], [right]: readonly unknown[]): number {
  return String(left) < String(right) ? -1 : 1;
}
