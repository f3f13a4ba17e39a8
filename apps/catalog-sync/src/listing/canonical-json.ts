/** Deeper than any item is, and far from where the stack ends. */
export const MAX_DEPTH = 64;

/** Whether `value`, which came from JSON, has more than `MAX_DEPTH` levels of arrays and objects. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

/** The same text for the same value, in whatever order its fields came. What lies deeper than `MAX_DEPTH` is left out. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth >= MAX_DEPTH) return '"…"';
  if (Array.isArray(value)) return `[${value.map((inner) => canonicalJson(inner, depth + 1)).join()}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner, depth + 1)}`).join()}}`;
}
