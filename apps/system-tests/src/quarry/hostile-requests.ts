import { FORMS, MALFORMED, TYPES, VALUES, type HostileBody } from './hostile-payloads.js';

/** Describes a malformed or extreme request, which the server must refuse or answer without an internal error. */
export interface HostileRequest {
  readonly title: string;
  readonly method: string;
  /** Path with the values of its parameters, without the origin of the server. */
  readonly path: string;
  readonly type: string;
  readonly body: Buffer | string;
  /** Headers in addition to those of every request. Their values are sent as Latin-1. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema } | undefined>> };
}

/** The fields of an OpenAPI document from which hostile requests are built. */
export interface HostileDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema | undefined>> };
}

/** Replaces the parameters of a path such as `/agents/{id}` by ids of existing resources. */
export type FillPath = (path: string) => string;

/** Builds requests with all hostile bodies to every operation of an OpenAPI document. DELETE operations are last. */
export function buildHostileRequests(document: HostileDocument, fillPath: FillPath): readonly HostileRequest[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      METHODS.has(method) ? [{ method, path: 'servers' in item ? path : `/api${path}`, operation }] : [],
    ),
  );
  return (
    operations
      // Operations that stream events are omitted: they ignore bodies, and their responses do not end.
      .filter(({ method, path }) => method !== 'get' || !path.endsWith('/events'))
      .toSorted((left, right) => Number(left.method === 'delete') - Number(right.method === 'delete'))
      .flatMap(({ method, path, operation }) =>
        buildHostileBodies(document, operation, method !== 'get').map(([title, type, body]) => ({
          ...{ title: `${method} ${path}: ${title}`, method, path: fillPath(path), type, body },
        })),
      )
  );
}

/** Describes a route that accepts POST requests with a JSON body from another service. */
export interface InternalRoute {
  readonly path: string;
  /** A valid body, whose fields are replaced by hostile values one at a time. */
  readonly body: object;
}

/**
 * Builds requests to internal routes: with malformed bodies, with wrong content types, and with copies of the route's
 * valid body that contain one hostile value.
 */
export function buildHostileInternalRequests(routes: readonly InternalRoute[]): readonly HostileRequest[] {
  return routes.flatMap(({ path, body }) => {
    const buildRequest = (title: string, type: string, sent: Buffer | string): HostileRequest => ({
      ...{ title: `post ${path}: ${title}`, method: 'post', path, type, body: sent },
    });
    return [
      ...MALFORMED.map(([title, sent]) => buildRequest(title, 'application/json', sent)),
      ...TYPES.map((type) => buildRequest(`type ${JSON.stringify(type)}`, type, '{}')),
      ...buildBodiesWithHostileFields(body).map(([title, sent]) => buildRequest(title, 'application/json', sent)),
    ];
  });
}

/** Returns copies of a body, each with a hostile value in one field at any depth. */
export function buildBodiesWithHostileFields(body: object): readonly (readonly [title: string, body: string])[] {
  return listReplaceablePlaces(body).flatMap(({ title, put }) =>
    VALUES.map((value) => [`${title} ${value.slice(0, 40)}`, put(value)] as const),
  );
}

interface Place {
  readonly title: string;
  /** Returns the JSON of the whole value, in which the JSON `value` replaces this field or item. */
  readonly put: (value: string) => string;
}

/** Returns all fields and items of a value at any depth, each with a function that replaces it. */
function listReplaceablePlaces(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([name, inner]) => [name, inner as unknown] as const);
  return entries.flatMap(([name, inner]) => {
    const wrapJson = (json: string): string => {
      const items = entries.map(([other, element]) => {
        const item = other === name ? json : JSON.stringify(element);
        return isList ? item : `${JSON.stringify(other)}:${item}`;
      });
      return isList ? `[${items.join(',')}]` : `{${items.join(',')}}`;
    };
    return [
      { title: name, put: wrapJson },
      ...listReplaceablePlaces(inner).map(({ title, put }) => ({
        title: `${name}.${title}`,
        put: (json: string) => wrapJson(put(json)),
      })),
    ];
  });
}

const METHODS = new Set(['get', 'post', 'patch', 'put', 'delete']);

/** Builds all hostile bodies for an operation. The result contains multipart forms only if `takesBody` is true. */
function buildHostileBodies(
  document: HostileDocument,
  operation: Operation,
  takesBody: boolean,
): readonly HostileBody[] {
  const json = operation.requestBody?.content['application/json']?.schema;
  const fields = json === undefined ? [] : [...listSchemaFields(document, json, 2)];
  return [
    ...MALFORMED.map(([title, body]): HostileBody => [title, 'application/json', body]),
    ...(takesBody ? FORMS : []),
    ...TYPES.map((type): HostileBody => [`type ${JSON.stringify(type)}`, type, '{}']),
    ...fields.flatMap(({ title, wrap }) =>
      VALUES.map((value): HostileBody => [`${title} ${value.slice(0, 40)}`, 'application/json', wrap(value)]),
    ),
  ];
}

interface Field {
  readonly title: string;
  /** Returns the JSON of a body that contains only this field, with the given JSON value. */
  readonly wrap: (value: string) => string;
}

/** Yields the fields of a schema and of the objects nested in it. @param levels maximum depth of nested objects */
function* listSchemaFields(document: HostileDocument, schema: Schema, levels: number): Generator<Field> {
  const { $ref, anyOf = [], oneOf = [], items, properties = {} } = schema;
  if ($ref !== undefined) yield* listSchemaFields(document, resolveSchemaReference(document, $ref), levels);
  for (const choice of [...anyOf, ...oneOf]) yield* listSchemaFields(document, choice, levels);
  if (items !== undefined) {
    for (const { title, wrap } of listSchemaFields(document, items, levels)) {
      yield { title: `[].${title}`, wrap: (value) => `[${wrap(value)}]` };
    }
  }
  for (const [name, inner] of Object.entries(properties)) {
    const wrapJson = (value: string): string => `{${JSON.stringify(name)}:${value}}`;
    yield { title: name, wrap: wrapJson };
    if (levels === 0) continue;
    for (const { title, wrap } of listSchemaFields(document, inner, levels - 1)) {
      yield { title: `${name}.${title}`, wrap: (value) => wrapJson(wrap(value)) };
    }
  }
}

function resolveSchemaReference({ components }: HostileDocument, $ref: string): Schema {
  const schema = components.schemas[$ref.slice('#/components/schemas/'.length)];
  if (schema === undefined) throw new Error(`expected the schema ${$ref} in the OpenAPI document, found none`);
  return schema;
}
