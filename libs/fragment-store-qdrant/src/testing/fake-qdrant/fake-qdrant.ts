import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { FakeCollection, type FakeUpdate } from './fake-collection.js';
import type { FakeFilter, FakePoint } from './filter.js';
import type { FakeModifier, FakeQuery } from './scorer.js';

const VERSION = '1.16.3';
const MAX_BODY_BYTES = 32 << 20;
/** Matches a lone surrogate in JSON: JSON.stringify escapes it, and the server rejects it. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** Describes the fields of a request body that the operations below read. */
interface Body {
  readonly vectors: { readonly dense?: { readonly size: number } };
  readonly sparse_vectors?: { readonly lexical?: { readonly modifier?: FakeModifier } };
  readonly field_name: string;
  readonly key: string;
  readonly field_schema: unknown;
  readonly points: readonly FakePoint[];
  readonly update_filter?: FakeFilter;
  readonly operations: readonly FakeUpdate[];
  readonly ids: readonly string[];
  readonly filter?: FakeFilter;
  readonly limit: number;
  readonly offset?: string;
  readonly query: FakeQuery;
  readonly using: string;
}

interface Request {
  readonly collection: FakeCollection;
  readonly body: Body;
  readonly wait: boolean;
  readonly rest: string;
}

class RefusedCall extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Operation = (request: Request) => unknown;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET ': ({ collection }) => ({
    config: { params: { sparse_vectors: { lexical: { modifier: collection.modifier } } } },
    payload_schema: Object.fromEntries(collection.indexes),
  }),
  'PATCH ': ({ collection, body }) => {
    collection.modifier = body.sparse_vectors?.lexical?.modifier ?? collection.modifier;
  },
  'PUT index': ({ collection, body }) => void collection.indexes.set(body.field_name, body.field_schema),
  'DELETE index': ({ collection, rest }) => void collection.indexes.delete(rest),
  'PUT points': ({ collection, body, wait }) => applyUpdate(collection, { upsert: body }, wait),
  'POST points': ({ collection, body }) => collection.retrievePoints(body.ids),
  'POST points/delete': ({ collection, body, wait }) =>
    applyUpdate(collection, { delete: getPointSelection(body) }, wait),
  'POST points/payload': ({ collection, body, wait }) =>
    applyUpdate(collection, { set_payload: { payload: {}, ...body, ...getPointSelection(body) } }, wait),
  'POST points/batch': async ({ collection, body, wait }) => {
    for (const operation of body.operations) await applyUpdate(collection, operation, wait);
  },
  'POST points/count': ({ collection, body }) => ({ count: collection.countPoints(body.filter) }),
  'POST facet': ({ collection, body }) => ({ hits: collection.countValues(body.key, body.filter, body.limit) }),
  'POST points/scroll': ({ collection, body }) => {
    const { points, next } = collection.scrollPoints(body.filter, body.limit, body.offset ?? '');
    return { points, next_page_offset: next };
  },
  'POST points/query': async ({ collection, body }) => ({
    points: await collection.queryPoints(body.query, body.using, body.filter, body.limit),
  }),
};

export interface FakeQdrant {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts an in-memory server with the part of Qdrant's HTTP API that the adapter uses, without indexes. Changes of a
 * collection are applied in the order of the requests, and changes of many points in steps. With `wait`, the server
 * responds after it has applied the change. The suites that use this server also run on a real Qdrant server.
 */
export async function startFakeQdrant(): Promise<FakeQdrant> {
  const collections = new Map<string, FakeCollection>();
  const server = createServer((request, response) => {
    void answerRequest(collections, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${String(port)}`, stop: () => stopServer(server) };
}

export async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function answerRequest(
  collections: Map<string, FakeCollection>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const sendReply = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  try {
    const call = await parseCall(request);
    if (call.path.length === 0) sendReply(200, { title: 'fake', version: VERSION });
    else sendReply(200, { status: 'ok', time: 0, result: await executeCall(collections, call) });
  } catch (error) {
    const status = error instanceof RefusedCall ? error.status : 400;
    sendReply(status, { status: { error: error instanceof Error ? error.message : String(error) }, time: 0 });
  }
}

function parseBody(text: string): Body {
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw new RefusedCall(413, 'payload is larger than allowed');
  if (LONE_SURROGATE.test(text)) throw new RefusedCall(400, 'lone leading surrogate in hex escape');
  return JSON.parse(text === '' ? '{}' : text) as Body; // the adapter under test has made it
}

interface Call {
  readonly method: string;
  /** Segments of the path of the request. */
  readonly path: readonly string[];
  readonly wait: boolean;
  readonly body: Body;
}

async function parseCall(request: IncomingMessage): Promise<Call> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
  const path = decodeURI(pathname)
    .split('/')
    .filter((part) => part !== '');
  const body = parseBody(await text(request));
  return { method: request.method ?? '', path, wait: searchParams.get('wait') === 'true', body };
}

async function executeCall(
  collections: Map<string, FakeCollection>,
  { method, path, wait, body }: Call,
): Promise<unknown> {
  const [, name, ...parts] = path;
  if (name === undefined) return { collections: [...collections.keys()].map((one) => ({ name: one })) };
  if (parts[0] === 'exists') return { exists: collections.has(name) };
  if (method === 'PUT' && parts.length === 0) return createCollection(collections, name, body);
  const collection = collections.get(name);
  if (collection === undefined) throw new RefusedCall(404, `Not found: Collection \`${name}\` doesn't exist!`);
  const isNamed = parts[0] === 'index' && method === 'DELETE';
  const operation = OPERATIONS[`${method} ${isNamed ? 'index' : parts.join('/')}`];
  if (operation === undefined)
    throw new RefusedCall(404, `the fake server does not support ${method} /${path.join('/')}`);
  return (await operation({ collection, body, wait, rest: parts[1] ?? '' })) ?? { status: 'completed' };
}

function createCollection(collections: Map<string, FakeCollection>, name: string, body: Body): boolean {
  if (collections.has(name)) throw new RefusedCall(409, `Wrong input: Collection \`${name}\` already exists!`);
  collections.set(name, new FakeCollection(body.vectors.dense?.size, body.sparse_vectors?.lexical?.modifier ?? 'none'));
  return true;
}

async function applyUpdate(collection: FakeCollection, update: FakeUpdate, wait: boolean): Promise<void> {
  const done = collection.updatePoints(update);
  if (wait) await done;
}

function getPointSelection({
  filter,
  points,
}: Body): { readonly filter: FakeFilter } | { readonly points: readonly string[] } {
  return filter === undefined ? { points: points.map(String) } : { filter };
}
