import { PriceRange, QueryFilters } from '@quarry/contracts';
import { fieldsOf, type Shape } from '@quarry/validation';
import { createFieldProblem } from '../checks/invalid-field.js';

const FILTERS = fieldsOf(QueryFilters);

/**
 * Refuses every unknown filter. Other unknown fields of a query are ignored. An ignored filter that is misspelt or misplaced
 * would show one customer's content to another.
 *
 * @throws Problem 400
 */
export function requireKnownFilters(body: unknown): void {
  for (const [name, value] of getEntries(body)) {
    if (name === 'filters') requireKnownFields(QueryFilters, value, name);
    else if (isSimilarToFilter(name))
      throw createFieldProblem(name, `is not a field of a query; expected filters, found ${formatValue(value)}`);
  }
}

function requireKnownFields(shape: Shape<object>, value: unknown, path: string): void {
  const known = fieldsOf(shape);
  for (const [name, field] of getEntries(value)) {
    const at = `${path}.${name}`;
    if (!known.includes(name)) {
      throw createFieldProblem(at, `is not a filter; expected one of ${known.join(', ')}, found ${formatValue(field)}`);
    }
    if (at === 'filters.price') requireKnownFields(PriceRange, field, at);
  }
}

/**
 * Returns true for names such as `filter`, `Filters`, `custom_ids` and `customId`, which resemble `filters` or belong into it.
 */
function isSimilarToFilter(name: string): boolean {
  return ['filters', ...FILTERS].some((filter) =>
    isWithinOneEdit(toLowerCaseLetters(name), toLowerCaseLetters(filter)),
  );
}

function toLowerCaseLetters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** Returns true when at most one letter is missing, added or different, or two adjacent letters are swapped. */
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

function getEntries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function formatValue(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
