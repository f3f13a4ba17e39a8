import type { Request } from 'express';
import type { Exchange } from '../exchange.js';
import type { Reply } from '../reply.js';

/** Translates the requests and replies of one operation between the formats of another API and of Quarry. */
export interface Translator {
  /** Translates the request before the operation reads it. The body is parsed as JSON, unless it is a form. */
  readonly translateRequest?: (request: Request) => void;
  /** Translates the reply. Not called for problems. */
  readonly translateReply?: (reply: Reply, translation: Translation) => Reply | Promise<Reply>;
}

/** Contains the request, and a function that reads other resources for the translation of a reply. */
export interface Translation extends Pick<Exchange, 'request'> {
  /**
   * Runs an operation other than the translated one with the parameters and the caller of the request, and returns the
   * JSON of its reply.
   *
   * @throws the problems of the operation
   */
  readonly readOther: (operationId: string, query: Readonly<Record<string, string>>) => Promise<unknown>;
}

/** An object that was parsed from JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns true if a value is an object, and neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the field `items` of a page of a list, or an empty list for a value that is no page. */
export function getPageItems(page: unknown): readonly unknown[] {
  const items = isJsonObject(page) ? page['items'] : undefined;
  return Array.isArray(items) ? items : [];
}

/** Replaces the JSON body of a reply. Returns a reply without a JSON body unchanged. */
export function translateJsonReply(reply: Reply, translate: (body: unknown) => unknown): Reply {
  const { content } = reply;
  if (content === undefined || !('json' in content)) return reply;
  return { ...reply, content: { json: JSON.stringify(translate(parseJson(content.json))) } };
}

/** Parses a JSON text. Returns `unknown` instead of `any`. */
export function parseJson(json: string): unknown {
  return JSON.parse(json);
}

/** Sets a parameter in the query string of a request, unless it is present. */
export function setDefaultQuery(request: Request, name: string, value: string): void {
  if (request.query[name] === undefined) request.url += `${request.url.includes('?') ? '&' : '?'}${name}=${value}`;
}
