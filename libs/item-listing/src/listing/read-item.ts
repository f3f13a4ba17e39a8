import { checkOf, parse, ValidationError, type FieldIssue } from '@quarry/validation';
import { isTooDeep, MAX_DEPTH } from './canonical-json.js';
import type { Variation } from './item.js';
import { Item } from './item.js';
import type { ListedItem } from './listed-item.js';

/** What a customer added to the contract's fields, as it was found. */
export type CustomFields = readonly (readonly [name: string, value: unknown])[];

export interface ReadVariation {
  readonly fields: Variation;
  readonly custom: CustomFields;
}

/** An item that keeps the contract. */
export interface ReadItem {
  readonly fields: Item;
  readonly custom: CustomFields;
  readonly variations: readonly ReadVariation[];
}

/** `problem` names the item, and each field with the reason and the value found. */
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

/** A catalogue is mostly valid: only an item that is not is held to its rules one by one, for the report. */
const keepsTheRules = checkOf(Item, 'ignore');

/** Holds an element of a listing to every rule of the contract. */
export function readItem({ raw, id }: Pick<ListedItem, 'raw' | 'id'>): Reading {
  const name = id === undefined ? 'An item without a usable id' : `Item ${id}`;
  if (isTooDeep(raw))
    return { valid: false, problem: `${name} has more than ${MAX_DEPTH} levels of arrays and objects` };
  if (keepsTheRules(raw)) return { valid: true, item: withCustomFields(raw, raw) };
  try {
    return { valid: true, item: withCustomFields(parse(Item, raw, 'ignore'), raw) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { valid: false, problem: `${name} is not valid: ${listed(error.issues)}` };
  }
}

const MOST_PROBLEMS = 10;

function listed(issues: readonly FieldIssue[]): string {
  const problems = issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const more = problems.length > MOST_PROBLEMS ? [`and ${problems.length - MOST_PROBLEMS} more`] : [];
  return [...problems.slice(0, MOST_PROBLEMS), ...more].join('; ');
}

function withCustomFields(fields: Item, raw: unknown): ReadItem {
  const rawVariations = Object(raw) as { readonly variations?: readonly unknown[] }; // parse has found it to be an object
  const variations = (fields.variations ?? []).map((variation, index) => ({
    fields: variation,
    custom: customFields(rawVariations.variations?.[index], VARIATION_FIELDS),
  }));
  return { fields, custom: customFields(raw, ITEM_FIELDS), variations };
}

function customFields(raw: unknown, known: ReadonlySet<string>): CustomFields {
  return Object.entries(Object(raw) as Record<string, unknown>).filter(([name]) => !known.has(name));
}
