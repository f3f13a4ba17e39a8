import { checkOf, parse, ValidationError, type FieldIssue } from '@quarry/validation';
import { isTooDeep, MAX_DEPTH } from './canonical-json.js';
import { type Variation, Item } from './item.js';
import type { ListedItem } from './listed-item.js';

/** Fields of an item that the contract does not define, unvalidated. */
export type CustomFields = readonly (readonly [name: string, value: unknown])[];

export interface ReadVariation {
  readonly fields: Variation;
  readonly custom: CustomFields;
}

/** Describes a valid item. */
export interface ReadItem {
  readonly fields: Item;
  readonly custom: CustomFields;
  readonly variations: readonly ReadVariation[];
}

/**
 * Describes the result of reading an item. `problem` names the item, and each invalid field with the reason and the
 * value.
 */
export type Reading =
  { readonly valid: true; readonly item: ReadItem } | { readonly valid: false; readonly problem: string };

const ITEM_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'title',
  'date_modified',
  'description',
  'price',
  'regular_price',
  'sale_price',
  'stock_status',
  'currency',
  'variations',
] satisfies (keyof Item)[]);

const VARIATION_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'title',
  'price',
  'regular_price',
  'sale_price',
  'stock_status',
  'stock',
] satisfies (keyof Variation)[]);

/** Checks an item without a report, because most items are valid. Only invalid items are parsed for the report. */
const isValidItem = checkOf(Item, 'ignore');

/** Validates an element of a listing and separates its custom fields. */
export function readItem({ raw, id }: Pick<ListedItem, 'raw' | 'id'>): Reading {
  const name = id === undefined ? 'An item without a usable id' : `Item ${id}`;
  if (isTooDeep(raw))
    return { valid: false, problem: `${name} has more than ${MAX_DEPTH} levels of arrays and objects` };
  if (isValidItem(raw)) return { valid: true, item: separateCustomFields(raw, raw) };
  try {
    return { valid: true, item: separateCustomFields(parse(Item, raw, 'ignore'), raw) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { valid: false, problem: `${name} is not valid: ${joinIssues(error.issues)}` };
  }
}

const MAX_PROBLEMS = 10;

function joinIssues(issues: readonly FieldIssue[]): string {
  const problems = issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const more = problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : [];
  return [...problems.slice(0, MAX_PROBLEMS), ...more].join('; ');
}

function separateCustomFields(fields: Item, raw: unknown): ReadItem {
  const rawVariations = Object(raw) as { readonly variations?: readonly unknown[] }; // validated as an object
  const variations = (fields.variations ?? []).map((variation, index) => ({
    fields: variation,
    custom: customFields(rawVariations.variations?.[index], VARIATION_FIELDS),
  }));
  return { fields, custom: customFields(raw, ITEM_FIELDS), variations };
}

function customFields(raw: unknown, known: ReadonlySet<string>): CustomFields {
  return Object.entries(Object(raw) as Record<string, unknown>).filter(([name]) => !known.has(name));
}
