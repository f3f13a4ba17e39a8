import { createHash } from 'node:crypto';

/** Describes a request that no client should send. */
export interface HostileRequest {
  readonly title: string;
  readonly method: string;
  /** Path with parameter values, relative to the server's address. */
  readonly path: string;
  readonly type: string;
  readonly body: Buffer | string;
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

/** Describes the fields of an OpenAPI document that the tests read. */
export interface HostileDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema | undefined>> };
}

/** Fills in the parameters of a path of the document, such as `/agents/{id}`. */
export type FillPath = (path: string) => string;

/** Builds all hostile bodies for every operation of a document, with removing operations last. */
export function buildHostileRequests(document: HostileDocument, fillPath: FillPath): readonly HostileRequest[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      METHODS.has(method) ? [{ method, path: 'servers' in item ? path : `/api${path}`, operation }] : [],
    ),
  );
  return (
    operations
      // A stream of events does not end, and ignores bodies.
      .filter(({ method, path }) => method !== 'get' || !path.endsWith('/events'))
      .toSorted((left, right) => Number(left.method === 'delete') - Number(right.method === 'delete'))
      .flatMap(({ method, path, operation }) =>
        buildHostileBodies(document, operation, method !== 'get').map(([title, type, body]) => ({
          ...{ title: `${method} ${path}: ${title}`, method, path: fillPath(path), type, body },
        })),
      )
  );
}

/** Describes an internal route: a POST with a JSON body. */
export interface InternalRoute {
  readonly path: string;
  /** A valid body, in which each field is replaced. */
  readonly body: object;
}

/** Builds all hostile bodies for internal routes, and their valid bodies with a hostile value in each field. */
export function buildHostileInternalRequests(routes: readonly InternalRoute[]): readonly HostileRequest[] {
  return routes.flatMap(({ path, body }) => {
    const buildRequest = (title: string, type: string, sent: Buffer | string): HostileRequest => ({
      ...{ title: `post ${path}: ${title}`, method: 'post', path, type, body: sent },
    });
    return [
      ...MALFORMED.map(([title, sent]) => buildRequest(title, 'application/json', sent)),
      ...TYPES.map((type) => buildRequest(`type ${JSON.stringify(type)}`, type, '{}')),
      ...listPlaces(body).flatMap(({ title, put }) =>
        VALUES.map((value) => buildRequest(`${title} ${value.slice(0, 40)}`, 'application/json', put(value))),
      ),
    ];
  });
}

interface Place {
  readonly title: string;
  /** Returns the JSON of the whole value with a replaced part. The replacement is JSON. */
  readonly put: (value: string) => string;
}

/** Returns the paths of all fields and items of a value at any depth. */
function listPlaces(value: unknown): readonly Place[] {
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
      ...listPlaces(inner).map(({ title, put }) => ({
        title: `${name}.${title}`,
        put: (json: string) => wrapJson(put(json)),
      })),
    ];
  });
}

const METHODS = new Set(['get', 'post', 'patch', 'put', 'delete']);

type HostileBody = readonly [title: string, type: string, body: Buffer | string];

function buildHostileBodies(
  document: HostileDocument,
  operation: Operation,
  takesBody: boolean,
): readonly HostileBody[] {
  const json = operation.requestBody?.content['application/json']?.schema;
  const fields = json === undefined ? [] : [...listFields(document, json, 2)];
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
  /** Returns a body with a value in a field, both as JSON. */
  readonly wrap: (value: string) => string;
}

/** Returns the fields of a body and of its nested objects to a limited depth. */
function* listFields(document: HostileDocument, schema: Schema, levels: number): Generator<Field> {
  const { $ref, anyOf = [], oneOf = [], items, properties = {} } = schema;
  if ($ref !== undefined) yield* listFields(document, resolveReference(document, $ref), levels);
  for (const choice of [...anyOf, ...oneOf]) yield* listFields(document, choice, levels);
  if (items !== undefined) {
    for (const { title, wrap } of listFields(document, items, levels)) {
      yield { title: `[].${title}`, wrap: (value) => `[${wrap(value)}]` };
    }
  }
  for (const [name, inner] of Object.entries(properties)) {
    const wrapJson = (value: string): string => `{${JSON.stringify(name)}:${value}}`;
    yield { title: name, wrap: wrapJson };
    if (levels === 0) continue;
    for (const { title, wrap } of listFields(document, inner, levels - 1)) {
      yield { title: `${name}.${title}`, wrap: (value) => wrapJson(wrap(value)) };
    }
  }
}

function resolveReference({ components }: HostileDocument, $ref: string): Schema {
  const schema = components.schemas[$ref.slice('#/components/schemas/'.length)];
  if (schema === undefined) throw new Error(`expected ${$ref} in the document, found none`);
  return schema;
}

const nestRepeatedly = (levels: number, open = '{"a":', close = '}'): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

/** Returns a text that PostgreSQL cannot compress to the size of an index entry. */
function makeIncompressibleText(length: number): string {
  return createHash('shake256', { outputLength: length / 2 })
    .update('incompressible')
    .digest('hex');
}

/** JSON values of the wrong type for most fields, and hostile values of the right type. */
const VALUES: readonly string[] = [
  ...['null', 'true', '0', '-1', '1e308', '-1e308', '1e999', '9007199254740993', '0.1', '""', '"\\u0000"', '"\\ud800"'],
  ...[
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '[{}]',
    '["\\u0000"]',
    '{"constructor":1}',
    '{"__proto__":{"a":1}}',
    '{"toString":{}}',
  ],
  ...['{"length":-1}', '{"then":1}', '[{"constructor":{"name":[]}}]', '{"\\u0000":"\\udfff"}'],
  ...[
    nestRepeatedly(60),
    nestRepeatedly(60, '[', ']'),
    JSON.stringify('../'.repeat(200)),
    JSON.stringify('x'.repeat(70_000)),
    JSON.stringify(makeIncompressibleText(20_000)),
  ],
];

const MALFORMED: readonly (readonly [title: string, body: Buffer | string])[] = [
  ['3,000 objects deep', nestRepeatedly(3_000)],
  ['100,000 lists deep', nestRepeatedly(100_000, '[', ']')],
  ['deep without an end', '['.repeat(200_000)],
  [
    'deep below fields',
    `{"documents":[{"text":"a","metadata":${nestRepeatedly(3_000)}}],"config":${nestRepeatedly(3_000)}}`,
  ],
  ['2 MB', `{"query":${JSON.stringify('x'.repeat(2_000_000))}}`],
  ['a million fields', `{${Array.from({ length: 100_000 }, (_, at) => `"f${at}":0`).join(',')}}`],
  ['nothing', ''],
  ['blanks', ' \n\t'],
  ['half an object', '{"name":'],
  ['NUL', '\0'],
  ['NUL in text', '{"name":"a\0"}'],
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0xc3, 0x7d])],
  ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
  ['a mark of byte order', '\ufeff{"name":7}'],
  ['prototype names', '{"__proto__":{"name":1},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":null}'],
  ['a field twice', '{"name":1,"name":{}}'],
  ...['null', '7', 'true', '"text"', '[]', '[{}]', 'NaN', 'undefined'].map((body) => [`only ${body}`, body] as const),
];

const TYPES: readonly string[] = [
  ...['', 'text/plain', 'application/json; charset', 'application/json; charset=utf-32', 'application/json;;;=', '/'],
  ...['multipart/form-data', 'multipart/form-data; boundary=', `multipart/form-data; boundary=${'b'.repeat(5_000)}`],
];

const FORM = 'multipart/form-data; boundary=b';
const formatFormPart = (disposition: string, content = 'x', more = ''): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const formatFilePart = (name: string, content = 'text', type = 'text/plain'): string =>
  formatFormPart(`name="file"; filename="${name}"`, content, `Content-Type: ${type}\r\n`);

const FORMS: readonly HostileBody[] = [
  ['a form of nothing', FORM, ''],
  ['a form without an end', FORM, formatFilePart('a.txt')],
  ['a form that ends at once', FORM, '--b--\r\n'],
  ['a form with half a head', FORM, '--b\r\nContent-Disposition: form-da'],
  ['a form with another boundary', FORM, '--c\r\n\r\n--c--'],
  [
    'a form with prototype names',
    FORM,
    `${['__proto__', 'constructor', 'toString', '__proto__[a]', 'a[b][c]'].map((name) => formatFormPart(`name="${name}"`)).join('')}--b--\r\n`,
  ],
  ['a form with fields deep in each other', FORM, `${formatFormPart(`name="a${'[b]'.repeat(2_000)}"`)}--b--\r\n`],
  [
    'a form with fields twice',
    FORM,
    `${formatFormPart('name="type"', 'file')}${formatFormPart('name="type"', 'file')}${formatFilePart('a.txt')}--b--\r\n`,
  ],
  ['a form with many fields', FORM, `${formatFormPart('name="f"').repeat(2_000)}--b--\r\n`],
  ['a form with a large field', FORM, `${formatFormPart('name="type"', 'x'.repeat(200_000))}--b--\r\n`],
  ['a form with a file in another field', FORM, `${formatFormPart('name="other"; filename="a.txt"')}--b--\r\n`],
  ['a form with two files', FORM, `${formatFilePart('a.txt')}${formatFilePart('b.txt')}--b--\r\n`],
  ['a form with a file of nothing', FORM, `${formatFilePart('a.txt', '')}--b--\r\n`],
  ['a form with a file without a name', FORM, `${formatFilePart('')}--b--\r\n`],
  ['a form with hostile names of files', FORM, `${formatFilePart('../../\0\ud800.txt')}--b--\r\n`],
  ['a form with a file of another type', FORM, `${formatFilePart('a.exe', 'MZ', 'application/x-msdownload')}--b--\r\n`],
  [
    'a form with NUL in its heads',
    FORM,
    `--b\r\nContent-Disposition: form-data; name="\0"\r\n\0: \0\r\n\r\n\0\r\n--b--\r\n`,
  ],
  ['a form with a head of 100 kB', FORM, `--b\r\nX: ${'x'.repeat(100_000)}\r\n\r\na\r\n--b--\r\n`],
  ['a form that breaks off in its file', FORM, formatFilePart('a.txt', 'x'.repeat(100_000)).slice(0, -1_000)],
];
