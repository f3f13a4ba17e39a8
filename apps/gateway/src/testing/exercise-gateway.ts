import { and, eq, isNotNull } from 'drizzle-orm';
import { datasources } from '../database/tables/datasources.js';
import { startDueSyncs } from '../due-syncs/start-due-syncs.js';
import { startWaitingSyncs } from '../due-syncs/start-waiting-syncs.js';
import { runNextEvaluation } from '../evaluations/evaluator.js';
import type { Gateway } from '../gateway.js';
import { removeDiscardedBlobsOfDatasources } from '../blobs/discarded-blobs.js';
import { listDispatchedQueues } from '../outbox/dispatched-queues.js';
import { openDispatcher } from '../outbox/dispatcher.js';
import { createDatabaseRunGateway } from '../runs/record/open-run-gateway.js';
import { recordDocumentOutcome, recordRunEnumeration } from '../runs/update/record-outcomes.js';
import { recordRunUpdates } from '../runs/update/run-events.js';
import { claimTokens } from '../usage/claim-tokens.js';
import { runWatchdog } from '../watchdog/watchdog.js';
import { enqueueDueDeliveries } from '../webhooks/deliverer.js';
import { BUSY_ORGANIZATION, FILLED, buildFilledId } from './fill-database.js';
import type { Api } from './start-test-gateway.js';

/** Contains a gateway with a filled database, and an API client of the organization `BUSY_ORGANIZATION`. */
export interface FilledGateway {
  readonly gateway: Gateway;
  readonly api: Api;
}

const DATASTORE = buildFilledId(FILLED.datastore, '1');
const AGENT = buildFilledId(FILLED.agent, '1');
/** The id of the filled datasource with the number 200, which is a web site. */
const SITE = buildFilledId(FILLED.datasource, '200');

const CONVERSATION_FILTERS = [
  'feedback=up',
  'feedback=down',
  'feedback=any',
  'feedback=none',
  'unanswered=true',
  'unanswered=false',
  'createdAfter=2026-01-01&createdBefore=2026-01-02T12:00:00Z',
];

/**
 * Sends requests to a gateway with a filled database. Together, they execute each SQL statement of the API at least
 * once.
 */
export async function exerciseApi({ gateway, api }: FilledGateway): Promise<void> {
  const lists = ['?limit=20', '?status=error', '?status=usage_limit_reached', '?type=web_site', '?type=item_listing'];
  for (const list of lists) await api.get(`/api/datasources${list}`);
  await api.get(`/api/datasources?limit=20&before=${buildFilledId(FILLED.datasource, '500')}`);
  await api.get(`/api/datasources?datastoreId=${DATASTORE}&status=running`);
  for (const path of ['', '/runs?limit=20', '/documents?limit=20', '/documents?outcome=failed', '/fragments']) {
    await api.get(`/api/datasources/${SITE}${path}`);
  }
  for (const list of [
    'datastores',
    'agents',
    'conversations',
    'api-keys',
    'webhooks',
    'usage',
    'usage/days',
    'organizations',
    'me',
  ]) {
    await api.get(`/api/${list}`);
  }
  await api.get(`/api/conversations?agentId=${AGENT}`);
  await api.get(`/api/conversations?visitorId=visitor`);
  for (const filter of CONVERSATION_FILTERS) {
    await api.get(`/api/conversations?limit=20&${filter}`);
    await api.get(`/api/conversations?limit=20&agentId=${AGENT}&${filter}`);
  }
  await api.patch(`/api/datastores/${DATASTORE}`).send({ name: 'renamed' });
  await api.patch(`/api/agents/${AGENT}`).send({ datastoreIds: [DATASTORE] });
  await exerciseQueries(api);
  await exerciseContent(api);
  await exerciseEvaluations(gateway, api);
  await exerciseWebhooks(gateway, api);
  await exerciseDispatcher(gateway, api);
}

/** Creates a webhook, sends and resends events to it, and deletes the webhook. */
async function exerciseWebhooks(gateway: Gateway, api: Api): Promise<void> {
  const created = await api.post('/api/webhooks').send({ url: 'https://example.org/hook' });
  const path = `/api/webhooks/${String(Reflect.get(Object(created.body), 'id'))}`;
  const tested = await api.post(`${path}/test`);
  const delivery = `${path}/deliveries/${String(Reflect.get(Object(tested.body), 'id'))}`;
  await enqueueDueDeliveries(gateway);
  for (const list of ['', '?state=failed', '?type=webhook.test']) await api.get(`${path}/deliveries${list}`);
  await api.get(delivery);
  await api.post(`${delivery}/resend`);
  await api.post(`${path}/resend`).send({ since: '2026-01-01T00:00:00Z' });
  await api.post(`${path}/rotate-secret`);
  await api.patch(path).send({ enabled: true });
  await api.delete(path);
}

/** Runs the job dispatcher once, and gets each datasource with the status `pending` from the API. */
async function exerciseDispatcher(gateway: Gateway, api: Api): Promise<void> {
  const queues = listDispatchedQueues(gateway.queues).map((queue) => ({ ...queue, publish: () => Promise.resolve() }));
  await openDispatcher(gateway, queues).dispatch();
  const listed = await api.get(`/api/datasources?status=pending`);
  const { items } = listed.body as { readonly items: readonly { readonly id: string }[] }; // as documented
  for (const { id } of items) await api.get(`/api/datasources/${id}`);
}

/** Queries a datastore and an agent, continues the conversation, rates an answer, and resumes a stream. */
async function exerciseQueries(api: Api): Promise<void> {
  await api.post(`/api/datastores/${DATASTORE}/query`).send({ query: 'why' });
  const answered = await api.post(`/api/agents/${AGENT}/query`).send({ query: 'Why?' });
  const conversationId: unknown = Reflect.get(Object(answered.body), 'conversationId');
  await api.post(`/api/agents/${AGENT}/query`).send({ query: 'And?', conversationId });
  await api.get(`/api/conversations/${String(conversationId)}/messages`);
  const feedback = `${String(conversationId)}/messages/${String(Reflect.get(Object(answered.body), 'messageId'))}/feedback`;
  await api.put(`/api/conversations/${feedback}`).send({ rating: 'down', reasons: ['wrong'] });
  await api.delete(`/api/conversations/${feedback}`);
  const resumable = { query: 'Why?', streaming: true, resumable: true };
  const streamed = await api.post(`/api/agents/${AGENT}/query`).send(resumable);
  const { 'quarry-conversation-id': id, 'quarry-message-id': messageId } = streamed.headers;
  await api.get(`/api/conversations/${String(id)}/messages/${String(messageId)}/stream`);
  await api.delete(`/api/conversations/${String(conversationId)}`);
}

/** Runs evaluations of a datastore and of an agent, and reads, compares and deletes them. */
async function exerciseEvaluations(gateway: Gateway, api: Api): Promise<void> {
  const dataset = { questions: [{ question: 'Why?', relevant: [{ text: 'because' }] }] };
  const bodies = [
    { dataset, datastoreId: DATASTORE },
    { dataset, agentId: AGENT },
    { dataset, datastoreId: DATASTORE },
  ];
  const paths: string[] = [];
  for (const body of bodies) {
    const created = await api.post('/api/evaluations').send(body);
    paths.push(`/api/evaluations/${String(Reflect.get(Object(created.body), 'id'))}`);
  }
  await api.post(`${paths[2] ?? ''}/cancel`);
  const parts = { ...gateway, wait: async () => Promise.resolve() };
  while (await runNextEvaluation(parts, new AbortController().signal));
  for (const path of paths) {
    for (const part of ['', '/questions', `/compare?with=${paths[0]?.split('/').at(-1) ?? ''}`])
      await api.get(path + part);
  }
  await api.get('/api/evaluations');
  for (const path of paths) await api.delete(path);
}

/** Uploads a file, upserts texts, changes and syncs a web site, and deletes a datasource. */
async function exerciseContent(api: Api): Promise<void> {
  await api.post(`/api/external/datastores/file-upload/${DATASTORE}`).attach('file', Buffer.from('text'), 'new.txt');
  const documents = [{ id: 'a', name: 'a', text: 'text' }];
  for (const text of ['text', 'other text']) {
    const changed = documents.map((document) => ({ ...document, text }));
    await api.post(`/api/datastores/upsert/${DATASTORE}`).set('Idempotency-Key', text).send({ documents: changed });
  }
  await api
    .patch(`/api/datasources/${SITE}`)
    .send({ config: { source_url: 'https://example.com/', schedule: 'every 2d' } });
  await api.post(`/api/datasources/${SITE}/sync`);
  await api.delete(`/api/datasources/${buildFilledId(FILLED.datasource, '4')}`);
}

/** Runs the functions that workers, the scheduler and the watchdog use, on a filled database. */
export async function exerciseWorkers({ gateway }: FilledGateway): Promise<void> {
  const { db, clock } = gateway;
  const now = clock();
  const [row] = await db.select().from(datasources).where(eq(datasources.id, SITE));
  const run = { datasourceId: SITE, runId: row?.runId ?? '' };
  const runs = createDatabaseRunGateway(gateway);
  await runs.openRun(run);
  const found = { documentKey: 'new', name: 'new', blobKey: 'new', mimeType: 'text/plain' };
  await runs.readIndexedVersions({ datasourceId: SITE, documentKeys: ['new', 'old'] });
  await runs.recordDocuments({
    ...run,
    at: now.toISOString(),
    toIndex: [found],
    settled: [{ documentKey: 'old', outcome: 'unchanged' }],
  });
  await claimTokens(db, { organizationId: BUSY_ORGANIZATION, datasourceId: SITE, documentKey: 'new', tokens: 10 });
  await recordDocumentOutcome(
    db,
    { ...run, documentKey: 'new', outcome: 'indexed', storedTokens: 10, at: now.toISOString() },
    now,
  );
  await recordRunEnumeration(db, { ...run, at: now.toISOString(), complete: false }, now);
  await recordFileRuns(gateway, now);
  await removeDiscardedBlobsOfDatasources(gateway, [SITE], now);
  await startDueSyncs(gateway);
  await startWaitingSyncs(gateway);
  await runWatchdog(gateway);
}

/** Ends the runs of two files with one event, and the run of a third file with a second event, as workers do. */
async function recordFileRuns(gateway: Gateway, at: Date): Promise<void> {
  const { db } = gateway;
  const files = await db
    .select()
    .from(datasources)
    .where(and(eq(datasources.status, 'running'), isNotNull(datasources.documentKey)))
    .limit(3);
  const updates = files.map(({ id, runId }) => ({
    ...{ datasourceId: id, at, storedTokens: 10 },
    event: {
      type: 'ended',
      runId: runId ?? '',
      sequence: 99,
      ending: { kind: 'document', outcome: 'indexed' },
    } as const,
  }));
  await recordRunUpdates(gateway, updates.slice(0, 2), at);
  await recordRunUpdates(gateway, updates.slice(2), at);
}
