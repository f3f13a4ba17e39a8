import { createHash } from 'node:crypto';

/**
 * Tells requests apart by what they ask. The order of an object's fields says nothing: some clients write them in another order
 * each time.
 *
 * @returns SHA-256 in hexadecimal
 */
export function fingerprintOf(asked: unknown): string {
  return sha256(JSON.stringify([ordered(asked)]));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  // As pairs: an object would sort fields that look like numbers, and take `__proto__` for something else.
  return {
    fields: Object.entries(value)
      .map(([name, field]) => [name, ordered(field)])
      .toSorted(byName),
  };
}

function byName([left]: readonly unknown[], [right]: readonly unknown[]): number {
  return String(left) < String(right) ? -1 : 1;
}
