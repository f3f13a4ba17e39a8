import fc from 'fast-check';

/** Describes a random request that mostly conforms to an OpenAPI document. */
export interface ArbitraryRequest {
  readonly method: string;
  /** The path as the OpenAPI document contains it, such as `/agents/{id}`. */
  readonly path: string;
  /** The values of the path parameters, in the order of the path. */
  readonly parameters: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body. Undefined: the request has no body. */
  readonly body: unknown;
}

/**
 * The placeholder that the test replaces by the id of an existing resource. It is the most frequent generated value of
 * parameters and fields that contain ids.
 */
export const KNOWN_ID = '$known';

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

interface OperationObject {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema } | undefined>> };
}

/** The parts of an OpenAPI document from which requests are generated. */
export interface FuzzedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema | undefined>> };
}

/** Generates requests with JSON bodies to all operations below `/api`. */
export function generateRequests(document: FuzzedDocument): fc.Arbitrary<ArbitraryRequest> {
  const resolve = generateSchemaValues(document);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    'servers' in item
      ? []
      : Object.entries(item).map(([method, operation]) => generateRequest(resolve, path, method, operation)),
  );
  return fc.oneof(...operations);
}

/** Returns a generator of values of the schema to which a `$ref` refers. */
type Resolve = ($ref: string) => fc.Arbitrary<unknown>;

/**
 * Creates generators of the values of all named schemas. Supports schemas that refer to themselves, such as a filter
 * that combines other filters.
 */
function generateSchemaValues({ components }: FuzzedDocument): Resolve {
  const getSchemaName = ($ref: string): string => $ref.slice('#/components/schemas/'.length);
  const named = fc.letrec<Record<string, unknown>>((tie) => {
    const resolve: Resolve = ($ref) => tie(getSchemaName($ref));
    const schemas = Object.entries(components.schemas);
    return Object.fromEntries(schemas.map(([name, schema = {}]) => [name, generateValidValue(resolve, schema, '')]));
  });
  return ($ref) => {
    const values = named[getSchemaName($ref)];
    if (values === undefined) throw new Error(`expected a schema ${$ref} in the OpenAPI document, found none`);
    return values;
  };
}

function generateRequest(
  resolve: Resolve,
  path: string,
  method: string,
  { parameters = [], requestBody }: OperationObject,
): fc.Arbitrary<ArbitraryRequest> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const schema = requestBody?.content['application/json']?.schema;
  const query = inQuery.map(({ name, schema: of }) => [name, generateValue(resolve, of, name).map(String)] as const);
  return fc.record({
    method: fc.constant(method),
    path: fc.constant(path),
    parameters: fc.tuple(...inPath.map(() => generateId())),
    query: fc.record(Object.fromEntries(query), { requiredKeys: [] }).map(removeUndefinedFields),
    body: schema === undefined ? fc.constant(undefined) : generateValue(resolve, schema, ''),
  });
}

/**
 * Generates mostly valid values of a schema, and sometimes any JSON value.
 *
 * @param name the name of the field or parameter that gets the value; '' for a body
 */
function generateValue(resolve: Resolve, schema: Schema, name: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: generateValidValue(resolve, schema, name) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

function generateValidValue(resolve: Resolve, schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, enum: values, const: constant, type } = schema;
  if ($ref !== undefined) return resolve($ref);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined && schema.properties === undefined) {
    return fc.oneof(...choices.map((choice) => generateValidValue(resolve, choice, name)));
  }
  if (constant !== undefined) return fc.constant(constant);
  if (values !== undefined) return fc.constantFrom(...values);
  const types = typeof type === 'string' ? [type] : (type ?? ['object']);
  return fc.oneof(...types.map((one) => generateValueOfType(resolve, schema, one, name)));
}

function generateValueOfType(resolve: Resolve, schema: Schema, type: string, name: string): fc.Arbitrary<unknown> {
  const { minimum = -1_000, maximum = 1_000 } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'array':
      return fc.array(generateValue(resolve, schema.items ?? {}, name), { maxLength: 3 });
    case 'object':
      return generateObject(resolve, schema);
    default:
      return generateText(schema, name);
  }
}

/**
 * Generates texts: ids if the name of the field or parameter ends with `id` or `ids`, otherwise any text, or mostly
 * URLs for the format `uri`.
 */
function generateText({ format, maxLength = 60 }: Schema, name: string): fc.Arbitrary<string> {
  if (/id$|ids$/i.test(name)) return generateId();
  const any = fc.string({ unit: 'binary', maxLength });
  return format === 'uri' ? fc.oneof({ weight: 4, arbitrary: fc.webUrl() }, any) : any;
}

function generateObject(resolve: Resolve, { properties, required = [] }: Schema): fc.Arbitrary<unknown> {
  if (properties === undefined) return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, generateValue(resolve, schema, name)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}

function generateId(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(KNOWN_ID) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1 }) },
  );
}

function removeUndefinedFields(query: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(given);
}
