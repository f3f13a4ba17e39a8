import fc from 'fast-check';

/** Describes a random request that mostly conforms to an OpenAPI document. */
export interface ArbitraryRequest {
  readonly method: string;
  /** The path in the document, such as `/agents/{id}`. */
  readonly path: string;
  /** The values of the path parameters. */
  readonly parameters: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body. Undefined: the request has no body. */
  readonly body: unknown;
}

/** The placeholder for an existing id, which is the most frequent value of parameters and fields that contain ids. */
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

/** The parts of an OpenAPI document that requests are generated from. */
export interface FuzzedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema | undefined>> };
}

/** Generates requests with JSON bodies to all operations below `/api`. */
export function generateRequests(document: FuzzedDocument): fc.Arbitrary<ArbitraryRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    'servers' in item
      ? []
      : Object.entries(item).map(([method, operation]) => generateRequest(document, path, method, operation)),
  );
  return fc.oneof(...operations);
}

function generateRequest(
  document: FuzzedDocument,
  path: string,
  method: string,
  { parameters = [], requestBody }: OperationObject,
): fc.Arbitrary<ArbitraryRequest> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const schema = requestBody?.content['application/json']?.schema;
  const query = inQuery.map(({ name, schema: of }) => [name, generateValue(document, of, name).map(String)] as const);
  return fc.record({
    method: fc.constant(method),
    path: fc.constant(path),
    parameters: fc.tuple(...inPath.map(() => generateId())),
    query: fc.record(Object.fromEntries(query), { requiredKeys: [] }).map(removeUndefinedFields),
    body: schema === undefined ? fc.constant(undefined) : generateValue(document, schema, ''),
  });
}

/** Generates mostly valid values of a schema, and sometimes any JSON value. */
function generateValue(document: FuzzedDocument, schema: Schema, name: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: generateValidValue(document, schema, name) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

function generateValidValue(document: FuzzedDocument, schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, enum: values, const: constant, type } = schema;
  if ($ref !== undefined) return generateValidValue(document, resolveReference(document, $ref), name);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined && schema.properties === undefined) {
    return fc.oneof(...choices.map((choice) => generateValidValue(document, choice, name)));
  }
  if (constant !== undefined) return fc.constant(constant);
  if (values !== undefined) return fc.constantFrom(...values);
  const types = typeof type === 'string' ? [type] : (type ?? ['object']);
  return fc.oneof(...types.map((one) => generateValueOfType(document, schema, one, name)));
}

function generateValueOfType(
  document: FuzzedDocument,
  schema: Schema,
  type: string,
  name: string,
): fc.Arbitrary<unknown> {
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
      return fc.array(generateValue(document, schema.items ?? {}, name), { maxLength: 3 });
    case 'object':
      return generateObject(document, schema);
    default:
      return generateText(schema, name);
  }
}

function generateText({ format, maxLength = 60 }: Schema, name: string): fc.Arbitrary<string> {
  if (/id$|ids$/i.test(name)) return generateId();
  const any = fc.string({ unit: 'binary', maxLength });
  return format === 'uri' ? fc.oneof({ weight: 4, arbitrary: fc.webUrl() }, any) : any;
}

function generateObject(document: FuzzedDocument, { properties, required = [] }: Schema): fc.Arbitrary<unknown> {
  if (properties === undefined) return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, generateValue(document, schema, name)] as const,
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

function resolveReference({ components }: FuzzedDocument, $ref: string): Schema {
  const schema = components.schemas[$ref.slice('#/components/schemas/'.length)];
  if (schema === undefined) throw new Error(`expected ${$ref} in the document, found nothing`);
  return schema;
}

function removeUndefinedFields(query: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(given);
}
