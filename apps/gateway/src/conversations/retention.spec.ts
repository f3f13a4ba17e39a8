import type { MessageResponse } from '@quarry/contracts';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversations, messages } from '../database/tables/conversations.js';
import { sourceErasures } from '../database/tables/source-erasures.js';
import { ensureRootKey } from '../keys/root-key.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { type Script, scriptAnswers } from '../testing/script-answers.js';
import { createAgent, createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Api, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { runWatchdog } from '../watchdog/watchdog.js';
import { eraseSourceTexts } from '../removals/erase-source-texts.js';
import { removeOldConversations } from './remove-old-conversations.js';

const ROOT_KEY = 'the-root-key-of-the-tests';
const DAY_MS = 86_400_000;

let now = new Date('2026-06-01T12:00:00.000Z');
let test: TestGateway;
let operator: Api;
let tenant: Tenant;
let datastore: string;
let agent: string;

beforeAll(async () => {
  test = await startTestGateway({ clock: () => now });
  await ensureRootKey(test.gateway.db, ROOT_KEY);
  operator = test.createApi(ROOT_KEY);
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  tenant = await test.createTenant();
  datastore = await createDatastore(tenant.api);
  agent = await createAgent(tenant.api, { datastoreIds: [datastore] });
});
afterEach(() => {
  test.query.answer = () => streamEvents([buildCompletedEvent('Yes.')]);
});

const advanceClock = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

/** Asks a question. @returns the id of the new conversation */
async function askQuestion(body: object = {}): Promise<string> {
  return getStringField(
    await tenant.api.post(`/api/agents/${agent}/query`).send({ query: 'q', ...body }),
    'conversationId',
  );
}

/** Asks a question in a conversation. Resolves when the answer is in progress. */
async function startAnswer(
  conversationId: string,
): Promise<{ readonly script: Script; readonly answered: Promise<string> }> {
  const script = scriptAnswers(test);
  const asked = test.query.questions.length;
  const answered = askQuestion({ conversationId });
  await expectEventually(() => test.query.questions.length).toBe(asked + 1);
  return { script, answered };
}

/** Makes the answers to the next questions cite these datasources. */
function citeDatasources(...datasourceIds: readonly string[]): void {
  const sources = datasourceIds.map((datasourceId, index) => ({
    ...{
      fragmentId: `f${index}`,
      datasourceId,
      documentKey: 'd',
      customId: null,
      source: null,
      page: null,
      rectangles: [],
    },
    ...{ text: `text of ${index}`, score: 0.5, cited: true },
  }));
  test.query.answer = () => streamEvents([buildCompletedEvent('Yes.', { sources })]);
}

async function getShownTexts(conversationId: string): Promise<readonly string[]> {
  const response = await tenant.api.get(`/api/conversations/${conversationId}/messages`);
  const { items } = response.body as { items: MessageResponse[] }; // as documented
  return items.flatMap(({ sources }) => sources.map(({ text }) => text));
}

async function getStoredTexts(conversationId: string): Promise<readonly string[]> {
  const rows = await test.gateway.db.select().from(messages).where(eq(messages.conversationId, conversationId));
  return rows.flatMap(({ sources }) => sources.map(({ text }) => text));
}

describe('the text of a removed datasource', () => {
  it('after a datasource is removed, stored answers immediately hide its text, the watchdog erases the text, and the texts of other sources stay', async () => {
    const [removed, other] = [
      await uploadText(tenant.api, datastore, 'x', 'a.txt'),
      await uploadText(tenant.api, datastore, 'x', 'b.txt'),
    ];
    citeDatasources(removed, other, removed);
    const id = await askQuestion();
    expect(await getShownTexts(id)).toEqual(['text of 0', 'text of 1', 'text of 2']);
    await tenant.api.delete(`/api/datasources/${removed}`);
    expect(await getShownTexts(id)).toEqual(['', 'text of 1', '']);
    await runWatchdog(test.gateway);
    expect(await getStoredTexts(id)).toEqual(['', 'text of 1', '']);
    const shown = await tenant.api.get(`/api/conversations/${id}/messages`);
    expect(shown.body).toMatchObject({
      items: [{}, { text: 'Yes.', sources: [{ datasource_id: removed, datasource_name: 'a.txt' }, {}, {}] }],
    });
  });

  it('removing a datastore erases the text of its datasources from all answers, including answers that are stored up to 15 minutes later', async () => {
    const file = await uploadText(tenant.api, datastore);
    citeDatasources(file);
    const ids = [await askQuestion(), await askQuestion(), await askQuestion()];
    await tenant.api.delete(`/api/datastores/${datastore}`);
    await eraseSourceTexts(test.gateway.db, now);
    for (const id of ids) expect(await getStoredTexts(id)).toEqual(['']);
    expect(await test.gateway.db.$count(sourceErasures, eq(sourceErasures.datasourceId, file))).toBe(1);
    advanceClock(16 * 60_000);
    await eraseSourceTexts(test.gateway.db, now);
    expect(await test.gateway.db.$count(sourceErasures, eq(sourceErasures.datasourceId, file))).toBe(0);
  });
});

describe('conversationRetentionDays', () => {
  const setRetention = async (days: number | null) =>
    operator.patch(`/api/organizations/${tenant.organizationId}`).send({ conversationRetentionDays: days });
  const hasConversation = async (id: string) => (await tenant.api.get(`/api/conversations/${id}`)).status === 200;

  it('a conversation is removed conversationRetentionDays days after its last answer, and the conversations of other organizations stay', async () => {
    const old = await askQuestion();
    const continued = await askQuestion();
    const other = await test.createTenant();
    const answer = await other.api.post(`/api/agents/${await createAgent(other.api)}/query`).send({ query: 'q' });
    expect((await setRetention(7)).body).toMatchObject({ conversationRetentionDays: 7 });
    advanceClock(6 * DAY_MS);
    await askQuestion({ conversationId: continued });
    await removeOldConversations(test.gateway.db, now);
    expect(await hasConversation(old)).toBe(true);
    advanceClock(2 * DAY_MS);
    await runWatchdog(test.gateway);
    expect([await hasConversation(old), await hasConversation(continued)]).toEqual([false, true]);
    expect((await other.api.get(`/api/conversations/${getStringField(answer, 'conversationId')}`)).status).toBe(200);
  });

  it('a conversation stays while the answer to a later question is in progress, and the answer is stored', async () => {
    const id = await askQuestion();
    await setRetention(7);
    advanceClock(8 * DAY_MS);
    const { script, answered } = await startAnswer(id);
    await runWatchdog(test.gateway);
    expect(await hasConversation(id)).toBe(true);
    script.send('Late.');
    script.complete();
    await answered;
    const stored = await tenant.api.get(`/api/conversations/${id}/messages`);
    expect(stored.body).toMatchObject({ items: [{}, { text: 'Yes.' }, {}, { text: 'Late.' }] });
  });

  it('a conversation whose first answer was lost stays while a later answer is in progress', async () => {
    const id = await askQuestion();
    const { db } = test.gateway;
    const lost = { emptySince: now, firstVisitorId: 'ann' };
    await db.delete(messages).where(eq(messages.conversationId, id));
    await db.update(conversations).set(lost).where(eq(conversations.id, id));
    advanceClock(DAY_MS + 60_000);
    const { script, answered } = await startAnswer(id);
    await runWatchdog(test.gateway);
    script.complete();
    await answered;
    expect((await tenant.api.get(`/api/conversations/${id}`)).body).toMatchObject({ messages: 2 });
  });

  it('a conversation whose latest answer was lost is removed a day after its question', async () => {
    const id = await askQuestion();
    await setRetention(7);
    advanceClock(7 * DAY_MS);
    const { db } = test.gateway;
    await db.update(conversations).set({ askedAt: now }).where(eq(conversations.id, id));
    advanceClock(DAY_MS - 60_000);
    await removeOldConversations(db, now);
    expect(await hasConversation(id)).toBe(true);
    advanceClock(120_000);
    await removeOldConversations(db, now);
    expect(await hasConversation(id)).toBe(false);
  });

  it('a conversation with messages stays if a gateway of an earlier version did not clear the start of its empty time', async () => {
    const id = await askQuestion();
    const long = new Date(now.getTime() - 2 * DAY_MS);
    await test.gateway.db.update(conversations).set({ emptySince: long }).where(eq(conversations.id, id));
    await removeOldConversations(test.gateway.db, now);
    expect(await test.gateway.db.$count(conversations, eq(conversations.id, id))).toBe(1);
  });

  it.each([
    ['an answer is stored', 'updatedAt'],
    ['a question arrives', 'askedAt'],
  ] as const)(
    'a conversation stays if %s while the removal of old conversations waits for its lock',
    async (_, column) => {
      const { db } = test.gateway;
      const id = await askQuestion();
      await setRetention(7);
      advanceClock(8 * DAY_MS);
      const removed = await db.transaction(async (tx) => {
        await tx
          .update(conversations)
          .set({ [column]: now })
          .where(eq(conversations.id, id));
        const removal = removeOldConversations(db, now);
        const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await expect.poll(async () => (await db.execute(waiting)).rows.length).toBeGreaterThan(0);
        return { removal };
      });
      await removed.removal;
      expect(await hasConversation(id)).toBe(true);
    },
  );

  it('conversations are kept forever after conversationRetentionDays was set to null', async () => {
    const id = await askQuestion();
    await setRetention(1);
    expect((await setRetention(null)).body).toMatchObject({ conversationRetentionDays: null });
    advanceClock(5_000 * DAY_MS);
    await removeOldConversations(test.gateway.db, now);
    expect(await hasConversation(id)).toBe(true);
  });

  it.each([0, -1, 1.5, 3_651, '7'])('a request that sets conversationRetentionDays to %j is refused', async (days) => {
    const response = await operator
      .patch(`/api/organizations/${tenant.organizationId}`)
      .send({ conversationRetentionDays: days });
    expect(response.body).toMatchObject({ status: 400, errors: [{ path: 'conversationRetentionDays' }] });
  });
});
