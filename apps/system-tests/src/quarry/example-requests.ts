/** Describes a request to an operation of an OpenAPI document, with only the required parameters and fields. */
export interface ExampleRequest {
  readonly id: string;
  readonly method: string;
  /** Prefix of `path` in the URL: `/api` or an empty text. */
  readonly server: string;
  readonly path: string;
  /** Values of the operation's required parameters, keyed by parameter name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Name of the schema of the JSON body, and of its class in generated clients; absent without a JSON body. */
  readonly schema?: string;
  /** Name of the first member of the union `schema`; equal to `schema` if that is no union. */
  readonly shape?: string;
  readonly body?: unknown;
  /** True if the body is a form that contains only a file. */
  readonly isForm: boolean;
}

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;

  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema } | undefined>> };
}

/** The parts of an OpenAPI document from which requests are built. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema | undefined>> };
}

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'http://127.0.0.1:9/',
  'date-time': '2026-01-02T03:04:05.000Z',
};

/** Builds one request to each operation. @param id value of the parameters and text fields without a known format */
export function buildExampleRequests(document: ApiDocument, id: string): readonly ExampleRequest[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]) => {
        const { operationId, parameters = [], requestBody } = operation;
        const schema = requestBody?.content['application/json']?.schema;
        const shape = schema && getFirstSchemaOfUnion(document, schema);
        return {
          id: operationId,
          method: method.toUpperCase(),
          server: 'servers' in item ? '' : '/api',
          path,
          parameters: Object.fromEntries(
            parameters
              .filter(({ required }) => required === true)
              .map(({ name }) => [name, name === 'page' ? '1' : id]),
          ),
          ...(schema &&
            shape && {
              schema: getSchemaName(schema),
              shape: getSchemaName(shape),
              body: buildExampleValue(document, shape, id),
            }),
          isForm: schema === undefined && requestBody !== undefined,
        };
      }),
  );
}

/** Returns the first member of the union to which a schema refers, or the schema itself if it is no union. */
function getFirstSchemaOfUnion({ components }: ApiDocument, schema: Schema): Schema {
  return components.schemas[getSchemaName(schema)]?.oneOf?.[0] ?? schema;
}

function getSchemaName({ $ref = '' }: Schema): string {
  return $ref.split('/').at(-1) ?? '';
}

function buildExampleValue(document: ApiDocument, schema: Schema, id: string): unknown {
  const { $ref, anyOf, type } = schema;
  if ($ref !== undefined)
    return buildExampleValue(document, document.components.schemas[getSchemaName(schema)] ?? {}, id);
  const [first] = anyOf ?? [];
  if (first !== undefined) return buildExampleValue(document, first, id);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return buildExampleObject(document, schema, id);
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => buildExampleValue(document, schema.items ?? {}, id));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return FORMATS[schema.format ?? ''] ?? id;
  }
}

function buildExampleObject(document: ApiDocument, { properties = {}, required = [] }: Schema, id: string): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, buildExampleValue(document, properties[name] ?? {}, id)]));
}
