/** JSON type that a rule can require. */
type ExpectedType = 'array' | 'boolean' | 'number' | 'object' | 'string';

/** Maps the name of a class-validator rule to the only type whose values can satisfy the rule. */
const TYPES: Readonly<Record<string, ExpectedType>> = {
  arrayMaxSize: 'array',
  arrayMinSize: 'array',
  arrayUnique: 'array',
  isArray: 'array',
  isBoolean: 'boolean',
  isHexadecimal: 'string',
  isInt: 'number',
  isIso8601: 'string',
  isNumber: 'number',
  isObject: 'object',
  isPositive: 'number',
  isString: 'string',
  isUrl: 'string',
  isUuid: 'string',
  matches: 'string',
  max: 'number',
  maxLength: 'string',
  min: 'number',
  minLength: 'string',
};

const NAMES: Readonly<Record<ExpectedType, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/**
 * Returns the type that a class-validator rule requires. Returns undefined if values of several types can satisfy the
 * rule.
 */
export function findExpectedType(ruleName: string | undefined): ExpectedType | undefined {
  return ruleName === undefined ? undefined : TYPES[ruleName];
}

/**
 * Describes the required type of a field, such as `a number`, if the value does not have it.
 *
 * @param types the type that each rule requires
 * @returns undefined if the value has the required type, or the rules require no type
 */
export function describeTypeMismatch(types: readonly (ExpectedType | undefined)[], value: unknown): string | undefined {
  const expected = types.find((type) => type !== undefined);
  return expected === undefined || expected === detectJsonType(value) ? undefined : NAMES[expected];
}

function detectJsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
