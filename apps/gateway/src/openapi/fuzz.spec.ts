import fc from 'fast-check';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  generateRequests,
  KNOWN_ID,
  type ArbitraryRequest,
  type FuzzedDocument,
} from '../testing/arbitrary-requests.js';
import { evaluations } from '../database/tables/evaluations.js';
import { ensureRootKey } from '../keys/root-key.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { createAgent, createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Api, type TestGateway } from '../testing/start-test-gateway.js';
import { buildOpenApiDocument } from './document.js';
import { ROUTES } from './documented-routes.js';

/**
 * Number of random requests. After a change of routes or of validation rules, run the test once with
 * `QUARRY_FUZZ_REQUESTS=5000` and another `QUARRY_TEST_SEED`.
 */
const REQUESTS = Number(process.env['QUARRY_FUZZ_REQUESTS'] ?? 300);
const SEED = Number(process.env['QUARRY_TEST_SEED'] ?? 20_261_121);

const ROOT_KEY = 'the-root-key-of-the-tests';

let test: TestGateway;
/** An HTTP client with the root key, which may call every operation. */
let operator: Api;

beforeAll(async () => {
  test = await startTestGateway();
  await ensureRootKey(test.gateway.db, ROOT_KEY);
  operator = test.createApi(ROOT_KEY);
}, 60_000);
afterAll(async () => test.close());

describe('the API under random requests', () => {
  it(
    `the API responds to random requests as documented, and never with a server error (QUARRY_TEST_SEED=${SEED})`,
    async () => {
      const document = buildOpenApiDocument(ROUTES) as unknown as FuzzedDocument; // document.ts builds the document in this shape
      const requests = fc.sample(generateRequests(document), { seed: SEED, numRuns: REQUESTS });
      const statuses = new Map<number, number>();
      let known = await createKnownResources(operator);
      for (const request of requests) {
        // The test skips event streams, because their responses do not end.
        if (request.path.endsWith('/events')) continue;
        const sent = replaceKnownIds(request, known);
        const response = await sendRequest(sent);
        if (response.status === 204) known = await createKnownResources(operator);
        if (response.status >= 500) {
          throw new Error(`${JSON.stringify(sent)} returned ${response.status} ${response.text}`);
        }
        expectDocumented(response, request.method as 'get', request.path); // the document contains only these methods
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }
      // If nearly every request were refused, the test would cover little.
      expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 10);
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 404]));
    },
    REQUESTS * 1_000,
  );
});

/**
 * Ids of existing resources, keyed by the first segment of the paths of the resources. After each request that deletes
 * a resource, new resources are created and their ids replace these ids.
 */
interface KnownResources {
  readonly agents: string;
  readonly datastores: string;
  readonly datasources: string;
  readonly conversations: string;
  /** The id of an answer in the conversation whose id is `conversations`. */
  readonly messages: string;
  readonly 'api-keys': string;
  readonly organizations: string;
  readonly evaluations: string;
}

async function createKnownResources(api: Api): Promise<KnownResources> {
  const datastores = await createDatastore(api);
  const agents = await createAgent(api, { datastoreIds: [datastores] });
  const answer = await api.post(`/api/agents/${agents}/query`).send({ query: 'q' });
  const key = await api.post('/api/api-keys').send({ name: 'a', scopes: ['query'] });
  const organization = await api.post('/api/organizations').send({ name: 'another' });
  // Random requests also start evaluations. They are deleted, because only a few evaluations can be in progress at
  // once.
  await test.gateway.db.delete(evaluations);
  const dataset = { questions: [{ question: 'q' }] };
  const evaluation = await api.post('/api/evaluations').send({ dataset, datastoreId: datastores });
  return {
    evaluations: getStringField(evaluation, 'id'),
    ...{ agents, datastores, datasources: await uploadText(api, datastores), 'api-keys': getStringField(key, 'id') },
    messages: getStringField(answer, 'messageId'),
    ...{ conversations: getStringField(answer, 'conversationId'), organizations: getStringField(organization, 'id') },
  };
}

/** Replaces each placeholder `KNOWN_ID` in a request by the id of an existing resource. */
function replaceKnownIds(request: ArbitraryRequest, known: KnownResources): ArbitraryRequest {
  const kind = request.path.split('/')[1] ?? '';
  const inPath = isKnownKind(kind, known) ? known[kind] : known.datastores;
  return {
    ...request,
    parameters: request.parameters.map((value, at) =>
      value === KNOWN_ID ? (at === 0 ? inPath : known.messages) : value,
    ),
    query: replaceIds(request.query, '', known) as Record<string, string>, // its type does not change
    body: replaceIds(request.body, '', known),
  };
}

function isKnownKind(kind: string, known: KnownResources): kind is keyof KnownResources {
  return kind in known;
}

/**
 * Replaces the placeholders `KNOWN_ID` in a value.
 *
 * @param name the field that contains the value, such as `agentId` or `datastoreIds`
 */
function replaceIds(value: unknown, name: string, known: KnownResources): unknown {
  if (value === KNOWN_ID) return getKnownId(name, known);
  if (Array.isArray(value)) return value.map((item) => replaceIds(item, name, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, replaceIds(item, field, known)]));
}

function getKnownId(name: string, known: KnownResources): string {
  if (name.startsWith('agent')) return known.agents;
  return name.startsWith('conversation') ? known.conversations : known.datastores;
}

async function sendRequest({ method, path, parameters, query, body }: ArbitraryRequest): Promise<Response> {
  const remaining = [...parameters];
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent((remaining.shift() ?? '').toWellFormed()));
  const wellFormed = Object.entries(query).map(([name, value]) => [name, value.toWellFormed()]);
  const asked = operator[method as 'post'](`/api${filled}`).query(Object.fromEntries(wellFormed) as object);
  return body === undefined ? asked : asked.type('application/json').send(JSON.stringify(body));
}
