import { idOf } from './item-id.js';

/** The first id that two of these objects have, as text; undefined when each has its own or none. */
export function repeatedId(objects: unknown): string | undefined {
  if (!Array.isArray(objects)) return undefined;
  const seen = new Set<string>();
  for (const object of objects as readonly unknown[]) {
    const id = typeof object === 'object' && object !== null && 'id' in object ? idOf(object.id) : undefined;
    if (id === undefined) continue;
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return undefined;
}
