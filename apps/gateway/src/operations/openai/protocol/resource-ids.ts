import { createNotFoundProblem } from '../../../checks/parse-resource-id.js';
import { createFieldProblem } from '../../../checks/field-problem.js';
import { isId } from '../../../database/id.js';

/** The prefixes that the ids of Quarry have in the OpenAI-compatible API. */
const PREFIXES = {
  conversation: 'conv_',
  file: 'file-',
  'file batch': 'vsfb_',
  message: 'msg_',
  response: 'resp_',
  upload: 'upload_',
  'upload part': 'part_',
  'vector store': 'vs_',
} as const;

/** A kind of resource whose ids have a prefix. */
export type PrefixedKind = keyof typeof PREFIXES;

/** Returns an id with the prefix of its kind, such as `vs_0192…` for a datastore. */
export function formatResourceId(kind: PrefixedKind, id: string): string {
  return PREFIXES[kind] + id;
}

/** Creates a function that parses an id of this kind in a path. The function throws Problem 404 for any other text. */
export function createIdParser(kind: PrefixedKind): (text: string) => string {
  return (text) => {
    const id = parsePrefixedId(kind, text);
    if (id === undefined) throw createNotFoundProblem(kind, text);
    return id;
  };
}

/** Parses the id of a resource in a field of a request. @throws Problem 400 for a text that is not an id of this kind */
export function parseIdField(kind: PrefixedKind, path: string, text: string): string {
  const id = parsePrefixedId(kind, text);
  if (id !== undefined) return id;
  const found = JSON.stringify(text.slice(0, 60));
  throw createFieldProblem(path, `must be the id of a ${kind}, such as ${PREFIXES[kind]}…, found ${found}`);
}

function parsePrefixedId(kind: PrefixedKind, text: string): string | undefined {
  const prefix = PREFIXES[kind];
  const id = text.slice(prefix.length);
  return text.startsWith(prefix) && isId(id) ? id.toLowerCase() : undefined;
}
