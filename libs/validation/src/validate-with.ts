import { ValidateBy, type ValidationArguments } from 'class-validator';

/** Describes a part of a value that violates a rule. */
export interface Violation {
  /** Path of the part within the value, such as `filters.0.key`. Empty: the whole value violates the rule. */
  readonly path: string;
  /** States what was expected, such as `must be a number`. */
  readonly message: string;
  /** The part that was found at the path. */
  readonly found: unknown;
}

/**
 * Returns the parts of a value that violate a rule. Implementations must accept any JSON value, and must limit their
 * recursion.
 */
export type FindViolations = (value: unknown) => readonly Violation[];

/** Name of the rule that `ValidateWith` creates. The only argument of the rule is its function `FindViolations`. */
export const VALIDATE_WITH = 'validateWith';

/**
 * Declares that `findViolations` validates a field whose rules the other decorators cannot express, such as a tree of
 * limited depth. `parse` reports each violation with its path. `Type` or `Describe` must define the JSON Schema of the
 * field, because this decorator adds nothing to it.
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
