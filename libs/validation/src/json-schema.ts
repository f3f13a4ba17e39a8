import { getMetadataStorage } from 'class-validator';
import { getDescription, getFieldDescription } from './describe.js';
import { getNestedType } from './nested-type.js';
import type { Shape } from './shape.js';
import { convertRules } from './schema-rules.js';
import { type JsonSchema } from './json-schema-type.js';

/** Describes the schema of a class. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export interface SchemaOptions {
  /** Returns the schema of a nested class, usually a `$ref`. */
  readonly refTo: (nested: Shape<object>) => JsonSchema;
  /**
   * False if null cannot be represented, as in a form. Default: true, so that a field that may be absent may also be
   * null.
   */
  readonly nulls?: boolean;
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/**
 * Converts the rules that `parse` checks to JSON Schema.
 *
 * @throws for a rule without a JSON Schema equivalent
 */
export function createSchema(shape: Shape<object>, options: SchemaOptions): ObjectSchema {
  const storage = getMetadataStorage();
  const byField = storage.groupByPropertyName(storage.getTargetValidationMetadatas(shape, '', true, false));
  const fields = Object.entries(byField).filter(([name]) => getFieldDescription(shape, name).isAlias !== true);
  const required = fields.filter(([, rules]) => !rules.some(createOptionalPredicate(shape))).map(([name]) => name);
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
  const own = convertRules(selectRules(rules, false), field);
  const nested = getNestedType(shape, name);
  const described = {
    ...(text === undefined ? {} : { description: text }),
    ...(nested === undefined ? addItems(own, rules, field) : nestSchema(own, options.refTo(nested))),
    ...schema,
  };
  const isNullable = nullable === true || (options.nulls !== false && rules.some(isOptional));
  return isNullable ? allowNull(described) : described;
}

/** Returns the schema of a field whose value, or each of whose values, is an object with the nested schema. */
function nestSchema(own: JsonSchema, nested: JsonSchema): JsonSchema {
  return isList(own) ? { ...own, items: nested } : nested;
}

/** Adds the schema of the items to the schema of a list. */
function addItems(own: JsonSchema, rules: readonly Metadata[], field: string): JsonSchema {
  return isList(own) ? { ...own, items: convertRules(selectRules(rules, true), `${field}[]`) } : own;
}

function isList(schema: JsonSchema): boolean {
  return schema['type'] === 'array';
}

/** Selects the actual rules, without conditions and nested classes. */
function selectRules(rules: readonly Metadata[], each: boolean): { name: string; constraints: readonly unknown[] }[] {
  return rules
    .filter((rule) => rule.type === 'customValidation' && rule.each === each)
    .map((rule) => ({ name: rule.name ?? 'without a name', constraints: rule.constraints }));
}

/**
 * Returns a predicate for rules that make a field optional. A conditional field may be absent; only the description can
 * explain the condition.
 */
function createOptionalPredicate(shape: Shape<object>): (rule: Metadata) => boolean {
  return (rule) =>
    rule.type === 'conditionalValidation' && getFieldDescription(shape, rule.propertyName).nullable !== true;
}

function isOptional(rule: Metadata): boolean {
  return rule.type === 'conditionalValidation' && rule.name === 'isOptional';
}

function allowNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, $ref, description, ...rest } = schema;
  const words = description === undefined ? {} : { description };
  if ($ref !== undefined) return { ...words, anyOf: [{ $ref }, { type: 'null' }] };
  if (type === undefined) return schema;
  // Code generators make one type from an enumeration without null.
  if (values !== undefined) return { ...words, anyOf: [{ type, enum: values }, { type: 'null' }], ...rest };
  return { ...words, type: [type, 'null'], ...rest };
}
