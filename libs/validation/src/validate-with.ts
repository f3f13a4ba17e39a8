import { ValidateBy, type ValidationArguments } from 'class-validator';

/** Describes a part of a value that is not as expected. */
export interface Violation {
  /** Path within the value, such as `filters.0.key`. Empty for the whole value. */
  readonly path: string;
  /** Describes what was expected, such as `must be a number`. */
  readonly message: string;
  /** The part of the value. */
  readonly found: unknown;
}

/** Returns the violations of a value. It must accept any JSON value, and bound its own depth. */
export type FindViolations = (value: unknown) => readonly Violation[];

/** The name of the rule. Its only constraint is the function `FindViolations`. */
export const VALIDATE_WITH = 'validateWith';

/**
 * Validates a value that no class can describe, such as a tree of bounded depth. `parse` reports every violation at its own
 * path. Describe the value by `Type` or `Describe` for its JSON Schema.
 */
export function ValidateWith(findViolations: FindViolations): PropertyDecorator {
  return ValidateBy({
    name: VALIDATE_WITH,
    constraints: [findViolations],
    validator: {
      validate: (value) => findViolations(value).length === 0,
      defaultMessage: (validated?: ValidationArguments) => findViolations(validated?.value)[0]?.message ?? '',
    },
  });
}
