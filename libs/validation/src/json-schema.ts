import { getMetadataStorage } from 'class-validator';
import { getDescription, getFieldDescription } from './describe.js';
import { getNestedType } from './nested-type.js';
import type { Shape } from './shape.js';
import { convertRulesToSchema } from './schema-rules.js';
import { type JsonSchema } from './json-schema-type.js';

/** Describes the JSON Schema of a class. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export interface SchemaOptions {
  /** Returns the schema of a nested class, usually a `$ref` to its definition. */
  readonly getSchemaReference: (nested: Shape<object>) => JsonSchema;
  /**
   * True: the schema allows null for each field that may be absent. Set false for formats that cannot represent null,
   * such as forms. Default: true.
   */
  readonly nulls?: boolean;
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/**
 * Creates the JSON Schema of a class from the rules that `parse` checks.
 *
 * @throws Error for a rule without an equivalent in JSON Schema
 */
export function createJsonSchema(shape: Shape<object>, options: SchemaOptions): ObjectSchema {
  const storage = getMetadataStorage();
  const byField = storage.groupByPropertyName(storage.getTargetValidationMetadatas(shape, '', true, false));
  const fields = Object.entries(byField).filter(([name]) => getFieldDescription(shape, name).isAlias !== true);
  const required = fields.filter(([, rules]) => !rules.some(createOptionalRulePredicate(shape))).map(([name]) => name);
  const { text, schema } = getDescription(shape);
  return {
    type: 'object',
    ...(text === undefined ? {} : { description: text }),
    properties: Object.fromEntries(
      fields.map(([name, rules]) => [name, createFieldSchema(shape, name, rules, options)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    ...schema,
  };
}

function createFieldSchema(
  shape: Shape<object>,
  name: string,
  rules: readonly Metadata[],
  options: SchemaOptions,
): JsonSchema {
  const { text, schema, nullable } = getFieldDescription(shape, name);
  const field = `${shape.name}.${name}`;
  const own = convertRulesToSchema(selectValidationRules(rules, false), field);
  const nested = getNestedType(shape, name);
  const described = {
    ...(text === undefined ? {} : { description: text }),
    ...(nested === undefined
      ? addItemsSchema(own, rules, field)
      : addNestedSchema(own, options.getSchemaReference(nested))),
    ...schema,
  };
  const isNullable = nullable === true || (options.nulls !== false && rules.some(isOptionalRule));
  return isNullable ? allowNullInSchema(described) : described;
}

/**
 * Returns the schema of a field with nested objects: `nested`, or a list of `nested` if `own` is the schema of a list.
 */
function addNestedSchema(own: JsonSchema, nested: JsonSchema): JsonSchema {
  return isArraySchema(own) ? { ...own, items: nested } : nested;
}

/** If `own` is the schema of a list, adds the schema of the list's elements. Otherwise returns `own`. */
function addItemsSchema(own: JsonSchema, rules: readonly Metadata[], field: string): JsonSchema {
  return isArraySchema(own)
    ? { ...own, items: convertRulesToSchema(selectValidationRules(rules, true), `${field}[]`) }
    : own;
}

function isArraySchema(schema: JsonSchema): boolean {
  return schema['type'] === 'array';
}

/**
 * Selects the rules of a field that check values, without its conditions and its nested class.
 *
 * @param each true: the rules of list elements; false: the other rules
 */
function selectValidationRules(
  rules: readonly Metadata[],
  each: boolean,
): { name: string; constraints: readonly unknown[] }[] {
  return rules
    .filter((rule) => rule.type === 'customValidation' && isElementRule(rule) === each)
    .map((rule) => ({ name: rule.name ?? 'without a name', constraints: rule.constraints }));
}

/** Returns true for a rule of list elements. `each` is absent if the decorator has other options, such as a message. */
function isElementRule({ each = false }: Partial<Metadata>): boolean {
  return each;
}

/**
 * Returns a function that returns true for rules that make a field optional. A condition makes a field optional, too,
 * because JSON Schema cannot express the condition.
 */
function createOptionalRulePredicate(shape: Shape<object>): (rule: Metadata) => boolean {
  return (rule) =>
    rule.type === 'conditionalValidation' && getFieldDescription(shape, rule.propertyName).nullable !== true;
}

/** Returns true for the rule of the decorator `IsOptional`. */
function isOptionalRule(rule: Metadata): boolean {
  return rule.type === 'conditionalValidation' && rule.name === 'isOptional';
}

function allowNullInSchema(schema: JsonSchema): JsonSchema {
  const { type, enum: values, $ref, description, ...rest } = schema;
  const words = description === undefined ? {} : { description };
  if ($ref !== undefined) return { ...words, anyOf: [{ $ref }, { type: 'null' }] };
  if (type === undefined) return schema;
  // `anyOf` instead of null in the enumeration: code generators create a better type for an enumeration without null.
  if (values !== undefined) return { ...words, anyOf: [{ type, enum: values }, { type: 'null' }], ...rest };
  return { ...words, type: [type, 'null'], ...rest };
}
