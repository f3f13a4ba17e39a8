import { invalid } from '../http/invalid.js';

const KNOWN = new Set(['custom_ids', 'datasource_ids', 'price', 'stock_status']);

/**
 * Refuses a filter that is not known. Other unknown fields are ignored, but a filter that is misspelt and ignored would show a
 * caller's customer what belongs to another.
 *
 * @throws Problem 400
 */
export function requireKnownFilters(body: unknown): void {
  const filters: unknown = typeof body === 'object' && body !== null && 'filters' in body ? body.filters : undefined;
  if (typeof filters !== 'object' || filters === null) return;
  for (const [name, value] of Object.entries(filters)) {
    if (KNOWN.has(name)) continue;
    const known = [...KNOWN].join(', ');
    throw invalid(`filters.${name}`, `is no filter, known are ${known}; found ${JSON.stringify(value).slice(0, 60)}`);
  }
}
