import { Transform } from './transform.js';
import { IsBoolean, IsInt, IsNumber, Max, Min } from 'class-validator';

/**
 * Declares a field with an integer that is parsed from text, such as an environment variable or a query parameter.
 * Bounds are inclusive.
 */
export function IntegerFromText(bounds: { readonly min: number; readonly max: number }): PropertyDecorator {
  return combineDecorators(
    Transform(({ value }) => parseNumber(value)),
    IsInt(),
    Min(bounds.min),
    Max(bounds.max),
  );
}

/** Declares a field with a number that is parsed from text. Bounds are inclusive. */
export function NumberFromText(bounds: { readonly min: number; readonly max: number }): PropertyDecorator {
  return combineDecorators(
    Transform(({ value }) => parseNumber(value)),
    IsNumber(),
    Min(bounds.min),
    Max(bounds.max),
  );
}

/** Declares a field with a boolean that is parsed from the text `true` or `false`. */
export function BooleanFromText(): PropertyDecorator {
  return combineDecorators(
    Transform(({ value }) => parseBoolean(value)),
    IsBoolean(),
  );
}

/** Returns the number that a text contains. Returns any other value unchanged. */
function parseNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** Returns the boolean for the text `true` or `false`. Returns any other value unchanged. */
function parseBoolean(value: unknown): unknown {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return value;
}

function combineDecorators(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}
