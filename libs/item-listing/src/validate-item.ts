import {
  compileShapeCheck,
  type FieldIssue,
  IsArray,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  parse,
  Type,
  ValidateNested,
  ValidationError,
} from '@quarry/validation';
import { AreObjects, HaveUniqueIds, IsItemDate, IsItemId } from './item-decorators.js';
import { isNestedTooDeep, type ListedItem, MAX_DEPTH } from './listed-item.js';

const A_NUMBER = { message: 'must be a number' };
const A_STRING = { message: 'must be a string' };

/** Describes a variation of an item, such as a size. Fields that are not declared here are custom fields. */
class Variation {
  @IsOptional()
  @IsItemId()
  readonly id?: string | number | null;

  @IsOptional()
  @IsString(A_STRING)
  readonly title?: string | null;

  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly price?: number | null;

  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly regular_price?: number | null;

  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly sale_price?: number | null;

  @IsOptional()
  @IsString(A_STRING)
  readonly stock_status?: string | null;

  /** Number of units of the variation in stock. */
  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly stock?: number | null;
}

/**
 * Describes an item of a listing. A field that is null counts as absent. Fields that are not declared here are custom
 * fields. Source: docs/interface.md#items.
 */
export class Item {
  @IsItemId()
  readonly id: string | number;

  @IsString(A_STRING)
  @IsNotEmpty({ message: 'must not be empty' })
  readonly title: string;

  @IsItemDate()
  readonly date_modified: string;

  @IsOptional()
  @IsString(A_STRING)
  readonly description?: string | null;

  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly price?: number | null;

  /** Price of the item before discounts. */
  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly regular_price?: number | null;

  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly sale_price?: number | null;

  /** `instock`, `outofstock`, `onbackorder`, or another text that the customer defines. */
  @IsOptional()
  @IsString(A_STRING)
  readonly stock_status?: string | null;

  @IsOptional()
  @IsString(A_STRING)
  readonly currency?: string | null;

  @IsOptional()
  @IsArray({ message: 'must be an array' })
  @AreObjects()
  @HaveUniqueIds()
  @ValidateNested({ each: true })
  @Type(() => Variation)
  readonly variations?: readonly Variation[] | null;
}

/** Lists the fields of an item that the contract does not define, unvalidated. */
export type CustomFields = readonly (readonly [name: string, value: unknown])[];

export interface ReadVariation {
  readonly fields: Variation;
  readonly custom: CustomFields;
}

/** Describes a valid item, with its custom fields and the custom fields of its variations. */
export interface ReadItem {
  readonly fields: Item;
  readonly custom: CustomFields;
  readonly variations: readonly ReadVariation[];
}

/**
 * Describes the result of validating an item. `problem` names the item, and the rule and the value of each invalid
 * field.
 */
export type ItemValidation =
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

/**
 * Returns true for a valid item. It is faster than `parse`, which is called only to describe the problems of invalid
 * items.
 */
const isValidItem = compileShapeCheck(Item, 'ignore');

/** Validates an element of a listing, and separates the custom fields from those of the contract. */
export function validateItem({ raw, id }: Pick<ListedItem, 'raw' | 'id'>): ItemValidation {
  const name = id === undefined ? 'An item without a usable id' : `Item ${id}`;
  if (isNestedTooDeep(raw))
    return { valid: false, problem: `${name} has more than ${MAX_DEPTH} levels of arrays and objects` };
  if (isValidItem(raw)) return { valid: true, item: separateCustomFields(raw, raw) };
  try {
    return { valid: true, item: separateCustomFields(parse(Item, raw, 'ignore'), raw) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { valid: false, problem: `${name} is not valid: ${formatIssues(error.issues)}` };
  }
}

const MAX_PROBLEMS = 10;

function formatIssues(issues: readonly FieldIssue[]): string {
  const problems = issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const more = problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : [];
  return [...problems.slice(0, MAX_PROBLEMS), ...more].join('; ');
}

function separateCustomFields(fields: Item, raw: unknown): ReadItem {
  const rawVariations = Object(raw) as { readonly variations?: readonly unknown[] }; // validated as an object
  const variations = (fields.variations ?? []).map((variation, index) => ({
    fields: variation,
    custom: selectCustomFields(rawVariations.variations?.[index], VARIATION_FIELDS),
  }));
  return { fields, custom: selectCustomFields(raw, ITEM_FIELDS), variations };
}

function selectCustomFields(raw: unknown, contractFields: ReadonlySet<string>): CustomFields {
  return Object.entries(Object(raw) as Record<string, unknown>).filter(([name]) => !contractFields.has(name));
}
