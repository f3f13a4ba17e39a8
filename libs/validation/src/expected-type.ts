/** The JSON types that rules can require. */
type ExpectedType = 'array' | 'boolean' | 'number' | 'object' | 'string';

/** Maps the name of a class-validator rule to the only type of value that satisfies it. */
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

/** Returns the type of value that a rule requires, or undefined if values of several types can satisfy it. */
export function findExpectedType(ruleName: string | undefined): ExpectedType | undefined {
  return ruleName === undefined ? undefined : TYPES[ruleName];
}

/**
 * Describes the type that the rules of a field require, such as `a number`, if the value has another one.
 *
 * @param types the types that the rules require
 * @returns undefined if the value has the type, or the rules require none
 */
export function describeTypeMismatch(types: readonly (ExpectedType | undefined)[], value: unknown): string | undefined {
  const expected = types.find((type) => type !== undefined);
  return expected === undefined || expected === detectJsonType(value) ? undefined : NAMES[expected];
}

function detectJsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
