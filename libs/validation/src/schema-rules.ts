import type { JsonSchema } from './json-schema-type.js';
import { VALIDATE_WITH } from './validate-with.js';

const TEXT: JsonSchema = { type: 'string', minLength: 1 };

/** Maps the name of a class-validator rule to a function that converts the arguments of the rule to a JSON Schema. */
const RULES: Readonly<Record<string, (constraints: readonly unknown[]) => JsonSchema>> = {
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
  arrayMinSize: ([minItems]) => ({ minItems }),
  arrayUnique: () => ({ uniqueItems: true }),
  equals: ([value]) => ({ type: typeof value, const: value }),
  isArray: () => ({ type: 'array' }),
  isBoolean: () => ({ type: 'boolean' }),
  isHexadecimal: () => ({ type: 'string', pattern: '^[0-9a-fA-F]+$' }),
  isIn: ([values]) => ({ ...createCommonTypeSchema(values), enum: values }),
  isInt: () => ({ type: 'integer' }),
  isIso8601: () => ({ type: 'string', format: 'date-time' }),
  isNotEmpty: () => ({}),
  isNumber: () => ({ type: 'number' }),
  isObject: () => ({ type: 'object', additionalProperties: true }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  isNumbersOrString: () => ({ oneOf: [{ type: 'array', items: { type: 'number' } }, { type: 'string' }] }),
  isString: () => ({ type: 'string' }),
  isStringOrStrings: () => ({ oneOf: [TEXT, { type: 'array', minItems: 1, items: TEXT }] }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  matches: ([expression]) => ({ pattern: expression instanceof RegExp ? expression.source : expression }),
  max: ([maximum]) => ({ maximum }),
  maxLength: ([maxLength]) => ({ maxLength }),
  min: ([minimum]) => ({ minimum }),
  minLength: ([minLength]) => ({ minLength }),
  [VALIDATE_WITH]: () => ({}),
};

export interface Rule {
  readonly name: string;
  readonly constraints: readonly unknown[];
}

/** Converts the rules of a field to a JSON Schema. @throws Error for a rule without an equivalent in JSON Schema */
export function convertRulesToSchema(rules: readonly Rule[], field: string): JsonSchema {
  const schema = rules.reduce<JsonSchema>((soFar, { name, constraints }) => {
    const rule = RULES[name];
    if (rule === undefined) {
      throw new Error(`${field} has the rule ${name}, which has no JSON Schema: add it to schema-rules.ts`);
    }
    return { ...soFar, ...rule(constraints) };
  }, {});
  const isEmptyRefused = rules.some(({ name }) => name === 'isNotEmpty');
  return isEmptyRefused && schema['type'] === 'string' ? { ...schema, minLength: 1 } : schema;
}

/** Returns the schema of the type that all values have. Returns an empty schema if their types differ. */
function createCommonTypeSchema(values: unknown): JsonSchema {
  const types = new Set(Array.isArray(values) ? values.map((value) => typeof value) : []);
  return types.size === 1 ? { type: [...types][0] } : {};
}
