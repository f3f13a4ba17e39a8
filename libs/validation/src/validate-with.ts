import { ValidateBy, type ValidationArguments } from 'class-validator';

/** Describes a part of a value that violates a rule. */
export interface Violation {
  /** Path within the value, such as `filters.0.key`. Empty for the whole value. */
  readonly path: string;
  /** Describes what was expected, such as `must be a number`. */
  readonly message: string;
  /** The found value at the path. */
  readonly found: unknown;
}

/**
 * Returns the violations within a value. Implementations must accept any JSON value, and must limit their recursion.
 */
export type FindViolations = (value: unknown) => readonly Violation[];

/** Name of the rule that `ValidateWith` creates. The only constraint of the rule is a function `FindViolations`. */
export const VALIDATE_WITH = 'validateWith';

/**
 * Validates a value that no class can describe, such as a tree of limited depth. `parse` reports each violation with
 * the path of the violation. `Type` or `Describe` must define the JSON Schema of the value.
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
