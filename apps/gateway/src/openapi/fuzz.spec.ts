import fc from 'fast-check';
import type { Response } from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  arbitraryRequests,
  KNOWN_ID,
  type ArbitraryRequest,
  type FuzzedDocument,
} from '../testing/arbitrary-requests.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { makeAgent, makeDatastore, uploadText } from '../testing/make.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { openApiDocument } from './document.js';
import { OPERATIONS } from './operations.js';

/** Raised by hand to 5,000 when routes or rules have changed. */
const REQUESTS = 300;
const SEED = 20_261_121;

/** Asked for on purpose: the installation lacks a part, and says so. */
const NOT_A_FAILURE = [501];

let test: TestGateway;
let tenant: Tenant;

beforeAll(async () => {
  test = await startTestGateway();
  tenant = await test.tenant();
}, 60_000);
afterAll(async () => test.close());

it(
  'answers whatever it is asked as documented, and fails at nothing',
  async () => {
    const document = openApiDocument(OPERATIONS) as unknown as FuzzedDocument; // its own shape, as document.ts makes it
    const requests = fc.sample(arbitraryRequests(document), { seed: SEED, numRuns: REQUESTS });
    const statuses = new Map<number, number>();
    let known = await makeAll(tenant);
    for (const request of requests) {
      const asked = withIds(request, known);
      const response = await ask(asked);
      if (response.status === 204) known = await makeAll(tenant);
      if (response.status >= 500 && !NOT_A_FAILURE.includes(response.status)) {
        throw new Error(`${JSON.stringify(asked)} answered ${response.status} ${response.text}`);
      }
      expectDocumented(response, request.method as 'get', request.path); // the document's methods are those it takes
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
    // Where nearly everything is refused, nothing was tried.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 10);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 404]));
  },
  REQUESTS * 1_000,
);

/** What there is, until a request removes some of it. */
interface Known {
  readonly datastore: string;
  readonly agent: string;
  readonly datasource: string;
}

async function makeAll({ api }: Tenant): Promise<Known> {
  const datastore = await makeDatastore(api);
  const agent = await makeAgent(api, { datastoreIds: [datastore] });
  return { datastore, agent, datasource: await uploadText(api, datastore) };
}

/** Puts ids of what there is where an id that is known was asked for. */
function withIds(request: ArbitraryRequest, { datastore, agent, datasource }: Known): ArbitraryRequest {
  const inPath = request.path.startsWith('/agents')
    ? agent
    : request.path.startsWith('/datasources')
      ? datasource
      : datastore;
  return {
    ...request,
    parameters: request.parameters.map((value) => (value === KNOWN_ID ? inPath : value)),
    query: put(request.query, datastore) as Record<string, string>, // what it was before
    body: request.body === undefined ? undefined : put(request.body, datastore),
  };
}

function put(value: unknown, id: string): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(`"${KNOWN_ID}"`, JSON.stringify(id)));
}

async function ask({ method, path, parameters, query, body }: ArbitraryRequest): Promise<Response> {
  const left = [...parameters];
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent((left.shift() ?? '').toWellFormed()));
  const wellFormed = Object.entries(query).map(([name, value]) => [name, value.toWellFormed()]);
  const asked = tenant.api[method as 'post'](`/api${filled}`).query(Object.fromEntries(wellFormed) as object);
  return body === undefined ? asked : asked.type('application/json').send(JSON.stringify(body));
}
