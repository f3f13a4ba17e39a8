import { hash as digest } from 'node:crypto';

/**
 * Describes an element of `items` of a listing, valid or invalid, with the properties that paging and change detection
 * use.
 */
export interface ListedItem {
  readonly raw: unknown;
  /** Length of the item's canonical JSON (`toCanonicalJson`), in characters. */
  readonly size: number;
  /** The id of the item as text. Undefined: the item has no valid id. */
  readonly id: string | undefined;
  /** `item:<id>`. If the item has no valid id, a key that is derived from its content. */
  readonly documentKey: string;
  /** Hash of the item's content. It does not depend on the order of fields. */
  readonly hash: string;
  /** Date of the item's last modification. Undefined: `date_modified` is missing or is no valid date (`isItemDate`). */
  readonly modified: string | undefined;
}

/**
 * Length of an item's hash in characters, which encode 96 bits. Hashes are compared only between versions of one item.
 * Even among a million hashes, the probability of a collision is about 10⁻¹⁷.
 */
const HASH_LENGTH = 16;

/** Computes the properties of an element of a listing. */
export function createListedItem(raw: unknown): ListedItem {
  const fields = isObject(raw) ? raw : {};
  const json = toCanonicalJson(raw);
  const hash = digest('sha256', json, 'base64url').slice(0, HASH_LENGTH);
  const id = parseItemId(fields['id']);
  return {
    raw,
    size: json.length,
    id,
    documentKey: id === undefined ? `item-without-id:${hash}` : buildDocumentKey(id),
    hash,
    modified: isItemDate(fields['date_modified']) ? fields['date_modified'] : undefined,
  };
}

export function buildDocumentKey(id: string): string {
  return `item:${id}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Length of a valid item date in characters. The only valid form is UTC with milliseconds, `T` and `Z`. */
const LENGTH = '2026-01-31T23:59:59.999Z'.length;
/** Matches dates on the first 28 days of a month, which always exist. Other dates need a slower check. */
const COMMON_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * Returns true if `value` is an existing date in the only form that listings may use: UTC with milliseconds. Texts in
 * this form have the same order as the dates.
 */
export function isItemDate(value: unknown): value is string {
  // The check of the length also excludes dates whose year has more than four digits.
  if (typeof value !== 'string' || value.length !== LENGTH) return false;
  if (COMMON_DATE.test(value)) return true;
  const date = new Date(value);
  // `toISOString` returns another text if `value` has another form, or names a day that does not exist, such as 30
  // February.
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

/**
 * Subtracts a millisecond from a date. The parameter `modified_after` excludes items that were modified at exactly the
 * given date. With the result as `modified_after`, a listing includes the items of `date`.
 *
 * @returns the earlier date; '' if the earlier date has no valid form. With '', the listing is requested without a
 * filter.
 */
export function subtractMillisecond(date: string): string {
  const earlier = new Date(Date.parse(date) - 1).toISOString();
  return isItemDate(earlier) ? earlier : '';
}

const MAX_LENGTH = 500;

/** Checks the id of an item. @returns the problem, such as `must not be empty`; undefined for a valid id */
export function findItemIdProblem(value: unknown): string | undefined {
  if (typeof value === 'number') return findNumericIdProblem(value);
  if (typeof value !== 'string') return 'must be a string or a number';
  if (value === '') return 'must not be empty';
  if (value.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // Queues and databases cannot store NUL and unpaired surrogates. Replacing these characters would change the id.
  if (value.includes('\0') || !value.isWellFormed()) return 'must be text without NUL and unpaired surrogates';
  return undefined;
}

/**
 * Returns an item's id as text, because the number 7 and the text `7` are the same id. Returns undefined for an invalid
 * id.
 */
export function parseItemId(value: unknown): string | undefined {
  return findItemIdProblem(value) === undefined ? String(value) : undefined;
}

/**
 * Returns a problem for a number that is not finite, and for an integer so large that JavaScript may have rounded it.
 * Returns undefined for any other number.
 */
function findNumericIdProblem(value: number): string | undefined {
  if (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)) return undefined;
  return `must be a string when it is a number above ${Number.MAX_SAFE_INTEGER}`;
}

/**
 * Maximum number of nested levels of an item. Real items have fewer levels. An overflow of the stack would require many
 * more.
 */
export const MAX_DEPTH = 64;

/** Returns true if a JSON value has more than `MAX_DEPTH` nested levels of arrays and objects. */
export function isNestedTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_DEPTH || Object.values(value).some((inner) => isNestedTooDeep(inner, depth + 1));
}

/**
 * Serializes a JSON value with sorted field names, so that equal values have equal texts. Replaces values nested deeper
 * than `MAX_DEPTH` by `…`.
 */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(sortFieldsByName(value, 0));
}

/**
 * Returns a copy of a JSON value with sorted fields. Calling `JSON.stringify` once for the copy is faster than calling
 * it for each nested value.
 */
function sortFieldsByName(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((inner) => sortFieldsByName(inner, depth + 1));
  const fields = value as Readonly<Record<string, unknown>>; // an object that came from JSON
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(fields).sort()) {
    // An assignment to `__proto__` would set the prototype of the copy.
    if (name === '__proto__')
      Object.defineProperty(sorted, name, { value: sortFieldsByName(fields[name], depth + 1), enumerable: true });
    else sorted[name] = sortFieldsByName(fields[name], depth + 1);
  }
  return sorted;
}
