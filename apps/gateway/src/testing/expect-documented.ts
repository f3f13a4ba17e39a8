import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Response } from 'supertest';
import { openApiDocument } from '../openapi/document.js';
import { ROUTES } from '../openapi/documented-routes.js';

type Method = 'get' | 'post' | 'patch' | 'delete';
interface MediaObject {
  readonly schema: object;
}
interface ResponseObject {
  readonly content?: Readonly<Record<string, MediaObject>>;
}
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, ResponseObject>> }>>>
  >;
}

/** The document, with every object closed: what is answered and not described is found. */
const DOCUMENT = closed(openApiDocument(ROUTES)) as Document; // its own shape, as document.ts makes it
const AJV = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
AJV.addSchema(DOCUMENT, 'document');
const checks = new Map<string, ValidateFunction>();

/**
 * Fails unless the document describes this answer: its status, its media type and its body.
 *
 * @param path as the document has it, such as `/agents/{id}`
 */
export function expectDocumented(response: Response, method: Method, path: string): void {
  const asked = `${method} ${path}`;
  const described = DOCUMENT.paths[path]?.[method]?.responses;
  if (described === undefined) throw new Error(`the document has no ${asked}`);
  const answer = described[response.status];
  const found = `${asked} answered ${response.status} ${response.text.slice(0, 500)}`;
  if (answer === undefined) throw new Error(`documented are ${Object.keys(described).join(', ')}; ${found}`);
  if (answer.content === undefined) {
    if (response.text !== '') throw new Error(`documented is no body; ${found}`);
    return;
  }
  const type = mediaTypeOf(response);
  if (answer.content[type] === undefined) {
    throw new Error(`documented are ${Object.keys(answer.content).join(', ')}, found ${type}; ${found}`);
  }
  const body: unknown = type.endsWith('json') ? response.body : response.text;
  const check = checkOf(['paths', path, method, 'responses', String(response.status), 'content', type, 'schema']);
  if (!check(body)) throw new Error(`${AJV.errorsText(check.errors)}; ${found}`);
}

function mediaTypeOf(response: Response): string {
  return (response.headers['content-type'] ?? 'none').split(';')[0] ?? '';
}

function checkOf(pointer: readonly string[]): ValidateFunction {
  const ref = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const check = checks.get(ref) ?? AJV.compile({ $ref: ref });
  checks.set(ref, check);
  return check;
}

/** A part of an `allOf` cannot be closed for itself. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const inside = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  const isClosable = inside['type'] === 'object' && 'properties' in inside && !('allOf' in inside);
  return isClosable ? { additionalProperties: false, ...inside } : inside;
}
