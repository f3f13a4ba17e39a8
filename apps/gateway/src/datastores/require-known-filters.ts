import { PriceRange, QueryFilters } from '@quarry/contracts';
import { listFieldNames, type Shape } from '@quarry/validation';
import { createFieldProblem } from '../checks/field-problem.js';

const FILTER_NAMES = listFieldNames(QueryFilters);

/**
 * Refuses a query with an unknown field in `filters`, or with a field that is probably a misspelt or misplaced filter.
 * If Quarry ignored such a filter, the query could return content of other customers. Other unknown fields are
 * accepted.
 *
 * @throws Problem 400 with the name of the field
 */
export function requireKnownFilters(body: unknown): void {
  for (const [name, value] of listObjectEntries(body)) {
    if (name === 'filters') requireKnownFields(QueryFilters, value, name);
    else if (isSimilarToFilterName(name) && (name !== 'metadata' || isMetadataFilter(value)))
      throw createFieldProblem(name, `is not a field of a query; expected filters, found ${formatFoundValue(value)}`);
  }
}

function requireKnownFields(shape: Shape<object>, value: unknown, path: string): void {
  const known = listFieldNames(shape);
  for (const [name, field] of listObjectEntries(value)) {
    const at = `${path}.${name}`;
    if (!known.includes(name)) {
      throw createFieldProblem(
        at,
        `is not a filter; expected one of ${known.join(', ')}, found ${formatFoundValue(field)}`,
      );
    }
    if (at === 'filters.price') requireKnownFields(PriceRange, field, at);
  }
}

/**
 * Returns true for a name that equals or resembles `filters` or the name of a filter, such as `filter`, `Filters`,
 * `custom_ids` and `customId`.
 */
function isSimilarToFilterName(name: string): boolean {
  return ['filters', ...FILTER_NAMES].some((filter) =>
    isWithinOneEdit(toLowerCaseLetters(name), toLowerCaseLetters(filter)),
  );
}

/** Returns the letters of a name in lower case. Omits all other characters, such as `_`. */
function toLowerCaseLetters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/**
 * Returns true if two words are equal except for one missing, added or different letter, or two swapped adjacent
 * letters.
 */
function isWithinOneEdit(found: string, expected: string): boolean {
  const shorter = Math.min(found.length, expected.length);
  let start = 0;
  while (start < shorter && found[start] === expected[start]) start += 1;
  let end = 0;
  while (end < shorter - start && found.at(-1 - end) === expected.at(-1 - end)) end += 1;
  const [left = '', right = ''] = [found, expected].map((word) => word.slice(start, word.length - end));
  const [first = '', second = ''] = right;
  return Math.max(left.length, right.length) < 2 || (right.length === 2 && left === second + first);
}

/**
 * Returns true for an object with the field `type`, which every filter on metadata has. A client may send another
 * object in the field `metadata` for its own purposes.
 */
function isMetadataFilter(value: unknown): boolean {
  return listObjectEntries(value).some(([name]) => name === 'type');
}

function listObjectEntries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function formatFoundValue(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
