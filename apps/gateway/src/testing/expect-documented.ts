import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Response } from 'supertest';
import type { Method, RouteDescription } from '../http/declaration.js';
import { buildOpenApiDocument } from '../openapi/document.js';
import { ROUTES } from '../openapi/documented-routes.js';

interface MediaObject {
  readonly schema: object;
}
interface ResponseObject {
  readonly content?: Readonly<Record<string, MediaObject>>;
}
/** The parts of a response that `expectDocumented` compares with the OpenAPI document. */
export interface ReceivedResponse extends Pick<Response, 'status' | 'body' | 'headers'> {
  /** The body as text. Absent if the body consists of bytes. */
  readonly text?: string;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, ResponseObject>> }>>>
  >;
}

/**
 * Fails unless an OpenAPI document describes the status, the media type and the body of a response.
 *
 * @param path the path as the document contains it, such as `/agents/{id}`
 */
export type ExpectDocumented = (response: ReceivedResponse, method: Method, path: string) => void;

/**
 * Creates a function that compares responses with the OpenAPI document of the given routes. The function fails if a
 * body has an undocumented property.
 */
export function createOpenApiComparison(routes: readonly RouteDescription[]): ExpectDocumented {
  const document = forbidAdditionalProperties(buildOpenApiDocument(routes)) as Document; // document.ts builds it in this shape
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document, 'document');
  const described: Described = { document, ajv, checks: new Map() };
  return (response, method, path) => {
    expectConformingResponse(described, response, method, path);
  };
}

/** Fails unless a response conforms to the OpenAPI document of the API. */
export const expectDocumented = createOpenApiComparison(ROUTES);

interface Described {
  readonly document: Document;
  readonly ajv: Ajv2020;
  readonly checks: Map<string, ValidateFunction>;
}

function expectConformingResponse(
  described: Described,
  response: ReceivedResponse,
  method: Method,
  path: string,
): void {
  const operation = `${method} ${path}`;
  const responses = described.document.paths[path]?.[method]?.responses;
  if (responses === undefined) throw new Error(`the OpenAPI document does not contain ${operation}`);
  const answer = responses[response.status];
  const text = response.text ?? String(response.body);
  const found = `${operation} responded with ${response.status} ${text.slice(0, 500)}`;
  if (answer === undefined) throw new Error(`documented statuses are ${Object.keys(responses).join(', ')}; ${found}`);
  if (answer.content === undefined) {
    if (text !== '') throw new Error(`expected no body, because the OpenAPI document describes none; ${found}`);
    return;
  }
  const type = getMediaType(response);
  if (answer.content[type] === undefined) {
    throw new Error(`documented media types are ${Object.keys(answer.content).join(', ')}, found ${type}; ${found}`);
  }
  const body: unknown = type.endsWith('json') ? response.body : text;
  const check = getSchemaValidator(described, [
    'paths',
    path,
    method,
    'responses',
    String(response.status),
    'content',
    type,
    'schema',
  ]);
  if (!check(body)) throw new Error(`${described.ajv.errorsText(check.errors)}; ${found}`);
}

function getMediaType(response: ReceivedResponse): string {
  return (response.headers['content-type'] ?? 'none').split(';')[0] ?? '';
}

function getSchemaValidator({ ajv, checks }: Described, pointer: readonly string[]): ValidateFunction {
  const ref = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const check = checks.get(ref) ?? ajv.compile({ $ref: ref });
  checks.set(ref, check);
  return check;
}

/**
 * Returns a copy of a JSON schema that forbids additional properties in every object schema, except in one with
 * `allOf`.
 */
function forbidAdditionalProperties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forbidAdditionalProperties);
  if (typeof value !== 'object' || value === null) return value;
  const inside = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, forbidAdditionalProperties(part)]),
  );
  const isClosable = inside['type'] === 'object' && 'properties' in inside && !('allOf' in inside);
  return isClosable ? { additionalProperties: false, ...inside } : inside;
}
