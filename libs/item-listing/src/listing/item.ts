import {
  IsArray,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Type,
  ValidateBy,
  ValidateNested,
} from '@quarry/validation';
import { isItemDate } from './item-date.js';
import { findIdProblem, idOf } from './item-id.js';

const A_NUMBER = { message: 'must be a number' };
const A_STRING = { message: 'must be a string' };

function IsItemId(): PropertyDecorator {
  return ValidateBy({
    name: 'isItemId',
    validator: {
      validate: (value: unknown) => findIdProblem(value) === undefined,
      defaultMessage: (found) => findIdProblem(found?.value) ?? 'must be an id',
    },
  });
}

function IsItemDate(): PropertyDecorator {
  return ValidateBy({
    name: 'isItemDate',
    validator: {
      validate: isItemDate,
      defaultMessage: () => 'must be a date in UTC with milliseconds, of the form 2026-01-31T23:59:59.999Z',
    },
  });
}

/** Rejects arrays as elements. Nested validation would accept them, because their own elements can be objects. */
function AreObjects(): PropertyDecorator {
  return ValidateBy({
    name: 'areObjects',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && !value.some(Array.isArray),
      defaultMessage: () => 'must be an array of objects',
    },
  });
}

function HaveUniqueIds(): PropertyDecorator {
  return ValidateBy({
    name: 'haveUniqueIds',
    validator: {
      validate: (value: unknown) => findRepeatedId(value) === undefined,
      defaultMessage: (found) => `must have unique ids, but ${findRepeatedId(found?.value) ?? 'an id'} occurs twice`,
    },
  });
}

/** A form in which an item is sold, such as a size. Any other field is a custom field. */
export class Variation {
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

  /** Number of units in stock. */
  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly stock?: number | null;
}

/**
 * An item of a listing. A field that is null counts as absent. Other fields are custom fields. Source: docs/interface.md#items.
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

  /** The price before discounts. */
  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly regular_price?: number | null;

  @IsOptional()
  @IsNumber({}, A_NUMBER)
  readonly sale_price?: number | null;

  /** `instock`, `outofstock`, `onbackorder`, or a text of the customer. */
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

/** Returns the first id that two of these objects share, as text, or undefined. */
function findRepeatedId(objects: unknown): string | undefined {
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
