import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

const SURROGATE_PAIR = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/**
 * Returns the number of characters of a text. A character is a Unicode code point, as for `maxLength` in JSON Schema
 * (JSON Schema Validation, section 6.3.1).
 */
export function countCharacters(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0);
}

/**
 * Declares the maximum length of a text in characters, as `countCharacters` counts them. In contrast, the decorator of
 * class-validator does not count variation selectors.
 */
export function MaxLength(max: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'maxLength',
      constraints: [max],
      validator: {
        validate: (value) => typeof value === 'string' && countCharacters(value) <= max,
        defaultMessage: buildMessage(
          (each) => `${each}$property must be shorter than or equal to $constraint1 characters`,
          options,
        ),
      },
    },
    options,
  );
}
