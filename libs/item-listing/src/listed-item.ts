import { hash as digest } from 'node:crypto';

/**
 * Describes an element of a listing's `items`, valid or not, with the properties that paging and change detection
 * use.
 */
export interface ListedItem {
  readonly raw: unknown;
  /** The length of the item's JSON, in characters. */
  readonly size: number;
  /** The id as text. Undefined when the item has no valid id. */
  readonly id: string | undefined;
  /** Document key `item:<id>`. Without a valid id: a key derived from the content. */
  readonly documentKey: string;
  /** Hash of the content, equal for any order of fields. */
  readonly hash: string;
  /** Date of the last modification. Undefined when it does not have the form of the contract. */
  readonly modified: string | undefined;
}

/**
 * Length of a hash in characters, 96 bits. Among a million items, the probability of a collision is about 10⁻¹⁷, and
 * only versions of the same item are compared.
 */
const HASH_LENGTH = 16;

export function toListedItem(raw: unknown): ListedItem {
  const fields = isObject(raw) ? raw : {};
  const json = toCanonicalJson(raw);
  const hash = digest('sha256', json, 'base64url').slice(0, HASH_LENGTH);
  const id = parseId(fields['id']);
  return {
    raw,
    size: json.length,
    id,
    documentKey: id === undefined ? `item-without-id:${hash}` : getDocumentKey(id),
    hash,
    modified: isItemDate(fields['date_modified']) ? fields['date_modified'] : undefined,
  };
}

export function getDocumentKey(id: string): string {
  return `item:${id}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The length of the only valid form: UTC with milliseconds, `T` and `Z`. */
const LENGTH = '2026-01-31T23:59:59.999Z'.length;
/** Accepts most dates quickly: the days that exist in every month. */
const COMMON_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Returns whether `value` is an existing date in the form of the contract. Such dates sort as text. */
export function isItemDate(value: unknown): value is string {
  // Years with more than four digits are longer.
  if (typeof value !== 'string' || value.length !== LENGTH) return false;
  if (COMMON_DATE.test(value)) return true;
  const date = new Date(value);
  // `toISOString` returns another text for other forms and for days that do not exist, such as 30 February.
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

/**
 * Subtracts a millisecond. `modified_after` is exclusive, so a filter with the result includes items modified at `date`.
 *
 * @returns '' when the result has no valid form. No filter can then be used.
 */
export function subtractMillisecond(date: string): string {
  const earlier = new Date(Date.parse(date) - 1).toISOString();
  return isItemDate(earlier) ? earlier : '';
}

const MAX_LENGTH = 500;

/** Checks an id. @returns the problem with `value`, as the end of "the id …"; undefined for a valid id */
export function findIdProblem(value: unknown): string | undefined {
  if (typeof value === 'number') return findNumberProblem(value);
  if (typeof value !== 'string') return 'must be a string or a number';
  if (value === '') return 'must not be empty';
  if (value.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // Queues and databases cannot store these characters. Their replacement would be another id.
  if (value.includes('\0') || !value.isWellFormed()) return 'must be text without NUL and unpaired surrogates';
  return undefined;
}

/** Returns the id as text: the number 7 and the text `7` are the same id. Returns undefined for an invalid id. */
export function parseId(value: unknown): string | undefined {
  return findIdProblem(value) === undefined ? String(value) : undefined;
}

/** Rejects numbers that JSON can express but JavaScript rounds to another number. */
function findNumberProblem(value: number): string | undefined {
  if (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)) return undefined;
  return `must be a string when it is a number above ${Number.MAX_SAFE_INTEGER}`;
}

/** Maximum depth of an item: deeper than real items, and well below the depth that overflows the stack. */
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
