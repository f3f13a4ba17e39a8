/** Deeper than real items, and well below the depth that overflows the stack. */
export const MAX_DEPTH = 64;

/** Returns whether a JSON value has more than `MAX_DEPTH` levels of arrays and objects. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

/** Serializes a JSON value with sorted field names, so that equal values give equal text. Omits levels below `MAX_DEPTH`. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(sortFields(value, 0));
}

/**
 * Sorts the fields of a copy, which `JSON.stringify` then serializes in one call. This is faster than serializing value by value.
 */
function sortFields(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((inner) => sortFields(inner, depth + 1));
  const fields = value as Readonly<Record<string, unknown>>; // an object that came from JSON
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(fields).sort()) {
    // A plain assignment would set the prototype of the copy.
    if (name === '__proto__')
      Object.defineProperty(sorted, name, { value: sortFields(fields[name], depth + 1), enumerable: true });
    else sorted[name] = sortFields(fields[name], depth + 1);
  }
  return sorted;
}
