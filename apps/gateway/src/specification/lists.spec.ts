import type { DocumentSettled } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Response } from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { evaluationQuestions, evaluations } from '../database/tables/evaluations.js';
import { recordDocumentOutcome } from '../runs/update/record-outcomes.js';
import { ensureRootKey } from '../keys/root-key.js';
import { OPERATIONS } from '../operations/operations.js';
import { createAgent, createDatastore, createSite, getStringField, uploadText } from '../testing/create-resources.js';
import type { Api } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { createWebhook } from '../testing/webhooks.js';

const ROOT_KEY = 'the-root-key-of-the-tests';
const used = setUpTenant();

/** Describes a list operation of the API, and how to add an item to its list. */
interface List {
  readonly path: () => string;
  readonly add: () => Promise<unknown>;
  readonly identity: string;
  readonly api?: () => Api;
}

let site: string;
let file: string;
let conversation: string;
let evaluation: string;
let webhook: string;
let added = 0;

const askAgent = async (body: object = {}): Promise<Response> =>
  used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'q', ...body });

/**
 * Adds a web page with one fragment to the web site. The document key of the page can sort before, between or after the
 * existing keys.
 */
async function addPage(): Promise<void> {
  const { db } = used.test.gateway;
  const [row] = await db.select().from(datasources).where(eq(datasources.id, site));
  const key = `${(added * 7_919) % 1_000}`.padStart(3, '0');
  const documentKey = `https://example.com/${key}`;
  const event: DocumentSettled = {
    ...{
      documentKey,
      fragments: 1,
      datasourceId: site,
      runId: row?.runId ?? '',
      at: new Date().toISOString(),
      outcome: 'indexed',
    },
  };
  expect(await recordDocumentOutcome(db, event, new Date())).toBe('under_way');
  const fragment = { fragmentId: key, documentKey, ordinal: 0, text: 'text', context: '', tokens: 1 };
  used.test.query.stored = [...used.test.query.stored, { ...fragment, page: null, location: null, rectangles: [] }];
}

/** Creates an evaluation, and cancels it, because only a few evaluations can be in progress at once. @returns its id */
async function addEvaluation(): Promise<string> {
  const body = { datastoreId: used.datastore, dataset: { questions: [{ id: 'first', question: 'q' }] } };
  const id = getStringField(await used.tenant.api.post('/api/evaluations').send(body), 'id');
  await used.tenant.api.post(`/api/evaluations/${id}/cancel`);
  return id;
}

/** Adds a question to the dataset of the test's evaluation. */
async function addQuestion(): Promise<void> {
  const { db } = used.test.gateway;
  const [row] = await db.select().from(evaluations).where(eq(evaluations.id, evaluation));
  const question = { id: `q${added}`, question: 'q', expected: [], relevant: [], unanswerable: false };
  await db.insert(evaluationQuestions).values({ datasetId: row?.datasetId ?? '', position: added + 1, question });
}

const LISTS: Readonly<Record<string, List>> = {
  '/agents': { path: () => 'agents', add: async () => createAgent(used.tenant.api), identity: 'id' },
  '/datastores': { path: () => 'datastores', add: async () => createDatastore(used.tenant.api), identity: 'id' },
  '/datasources': {
    path: () => 'datasources',
    add: async () => uploadText(used.tenant.api, used.datastore, 'text', `${added}.txt`),
    identity: 'id',
  },
  '/datasources/{id}/runs': {
    path: () => `datasources/${file}/runs`,
    add: async () => used.tenant.api.post(`/api/datasources/${file}/sync`),
    identity: 'id',
  },
  '/datasources/{id}/documents': { path: () => `datasources/${site}/documents`, add: addPage, identity: 'documentKey' },
  '/datasources/{id}/fragments': { path: () => `datasources/${site}/fragments`, add: addPage, identity: 'id' },
  '/conversations': { path: () => 'conversations', add: async () => askAgent(), identity: 'id' },
  '/conversations/{id}/messages': {
    path: () => `conversations/${conversation}/messages`,
    add: async () => askAgent({ conversationId: conversation }),
    identity: 'id',
  },
  '/api-keys': { path: () => 'api-keys', add: async () => used.tenant.addKey({}), identity: 'id' },
  '/webhooks': {
    path: () => 'webhooks',
    add: async () => used.tenant.api.post('/api/webhooks').send({ url: 'https://example.org/hook' }),
    identity: 'id',
  },
  '/webhooks/{id}/deliveries': {
    path: () => `webhooks/${webhook}/deliveries`,
    add: async () => used.tenant.api.post(`/api/webhooks/${webhook}/test`),
    identity: 'id',
  },
  '/evaluations': { path: () => 'evaluations', add: addEvaluation, identity: 'id' },
  '/evaluation-datasets': { path: () => 'evaluation-datasets', add: addEvaluation, identity: 'id' },
  '/evaluations/{id}/questions': {
    path: () => `evaluations/${evaluation}/questions`,
    add: addQuestion,
    identity: 'id',
  },
  '/organizations': {
    path: () => 'organizations',
    add: async () => used.test.createApi(ROOT_KEY).post('/api/organizations').send({ name: 'Acme' }),
    identity: 'id',
    api: () => used.test.createApi(ROOT_KEY),
  },
};

beforeEach(async () => {
  used.test.query.stored = [];
  await ensureRootKey(used.test.gateway.db, ROOT_KEY);
  file = await uploadText(used.tenant.api, used.datastore);
  site = await createSite(used.tenant.api, used.datastore);
  conversation = getStringField(await askAgent(), 'conversationId');
  evaluation = await addEvaluation();
  webhook = await createWebhook(used.tenant);
});

/**
 * Reads all pages of a list.
 *
 * @param between called after each page was read
 * @returns for each item, the value of the field whose name is `list.identity`
 */
async function readAllPages(list: List, limit: number, between: () => Promise<unknown>): Promise<string[]> {
  const { path, identity, api = () => used.tenant.api } = list;
  const found: string[] = [];
  let cursor: string | null = '';
  do {
    const query: Record<string, string> = { limit: String(limit), ...(cursor === '' ? {} : { cursor }) };
    const page = (await api().get(`/api/${path()}`).query(query)).body as Page; // as documented
    expect(page.items.length).toBeLessThanOrEqual(limit);
    found.push(...page.items.map((item) => String(item[identity])));
    cursor = page.next_cursor;
    await between();
  } while (cursor !== null && found.length < 1_000);
  return found;
}

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string | null;
}

const doNothing = async (): Promise<void> => Promise.resolve();

it('the tests of this file cover every list operation of the API', () => {
  const lists = OPERATIONS.filter(({ id }) => id.startsWith('list')).map(({ path }) => path);
  expect(Object.keys(LISTS).toSorted()).toEqual(lists.toSorted());
});

describe.each(Object.entries(LISTS))('GET %s, page by page', (_name, list) => {
  const addEntry = async (): Promise<void> => {
    added += 1;
    await list.add();
  };
  beforeEach(async () => {
    for (let number = 0; number < 7; number += 1) await addEntry();
  });

  it('a list returns each item once, in the same order for every page size', async () => {
    const whole = await readAllPages(list, 200, doNothing);
    expect(new Set(whole).size).toBe(whole.length);
    expect(whole.length).toBeGreaterThanOrEqual(7);
    for (const limit of [1, 3, whole.length]) expect(await readAllPages(list, limit, doNothing)).toEqual(whole);
  });

  it('a list returns no item twice and skips no existing item if items are added between two pages', async () => {
    const before = await readAllPages(list, 200, doNothing);
    let adding = 12;
    const found = await readAllPages(list, 2, async () => {
      if ((adding -= 1) >= 0) await addEntry();
    });
    expect(new Set(found).size).toBe(found.length);
    expect(before.filter((item) => !found.includes(item))).toEqual([]);
  });
});

it('GET /datasources with order=asc returns datasources page by page, oldest first', async () => {
  const { api } = used.tenant;
  const datastoreId = await createDatastore(api);
  const ids: string[] = [];
  for (const name of ['1.txt', '2.txt', '3.txt']) {
    ids.push(await uploadText(api, datastoreId, 'text', name));
  }
  const listPage = async (query: object): Promise<Page> =>
    (await api.get('/api/datasources').query({ datastoreId, limit: 2, ...query })).body as Page;
  const first = await listPage({ order: 'asc' });
  const second = await listPage({ order: 'asc', cursor: first.next_cursor });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  expect(second.next_cursor).toBeNull();
  expect((await api.get('/api/datasources?order=oldest')).status).toBe(400);
});
