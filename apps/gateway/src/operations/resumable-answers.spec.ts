import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answerStreams } from '../database/tables/answer-streams.js';
import { messages } from '../database/tables/conversations.js';
import { problem } from '../problems.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { getStringField, createAgent } from '../testing/create-resources.js';
import { openStream, type StreamClient } from '../testing/open-stream.js';
import { type Script, scriptAnswers } from '../testing/script-answers.js';
import { startTestGateway, type Tenant, TEST_SETTINGS, type TestGateway } from '../testing/start-test-gateway.js';
import { runWatchdog } from '../watchdog/watchdog.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const SHORT_GRACE_MS = 1_000;

/**
 * Four gateways with the same database. `brief` and `otherBrief` abort an answer that no client reads for
 * `SHORT_GRACE_MS`.
 */
let test: TestGateway;
let other: TestGateway;
let brief: TestGateway;
let otherBrief: TestGateway;
let tenant: Tenant;
let agent: string;

beforeAll(async () => {
  test = await startTestGateway();
  const { database } = test.context;
  other = await startTestGateway({ database });
  const settings = { ...TEST_SETTINGS, resumeGraceMs: SHORT_GRACE_MS };
  brief = await startTestGateway({ database, settings });
  otherBrief = await startTestGateway({ database, settings });
}, 60_000);
afterAll(async () => {
  for (const gateway of [other, brief, otherBrief, test]) await gateway.close();
});
beforeEach(async () => {
  tenant = await test.createTenant();
  agent = await createAgent(tenant.api);
});
afterEach(async () => {
  for (const { gateway } of [test, brief]) gateway.answers.abortAll(problem('service_stopping', 'The test has ended.'));
  for (const { gateway } of [test, brief]) await gateway.answers.waitUntilDone();
});

const askAgent = async (body: object = {}, gateway = test, headers = {}): Promise<StreamClient> =>
  openStream(gateway, {
    ...{ key: tenant.key, method: 'POST', path: `/api/agents/${agent}/query`, headers },
    body: { query: 'Why?', streaming: true, resumable: true, ...body },
  });

const getStreamPath = ({ conversationId, messageId }: Pick<StreamClient, 'conversationId' | 'messageId'>): string =>
  `/api/conversations/${conversationId}/messages/${messageId}/stream`;

const resumeAnswer = async (client: StreamClient, gateway = test, after = client.getLastId()): Promise<StreamClient> =>
  openStream(gateway, {
    key: tenant.key,
    method: 'GET',
    path: getStreamPath(client),
    headers: { 'Last-Event-ID': after },
  });

/** Starts an answer whose client has received the given text. */
async function startAnswer(
  text: string,
  gateway = test,
): Promise<{ readonly script: Script; readonly client: StreamClient }> {
  const script = scriptAnswers(gateway);
  const client = await askAgent({}, gateway);
  script.send(`${text}.`);
  // The stream holds back the last character, because it may be half of a surrogate pair.
  await expectEventually(client.getText).toBe(text);
  return { script, client };
}

const loadAnswer = async ({ messageId }: StreamClient) =>
  test.gateway.db.select().from(messages).where(eq(messages.id, messageId));
const changeStream = async ({ messageId }: StreamClient, set: object): Promise<void> => {
  await test.gateway.db.update(answerStreams).set(set).where(eq(answerStreams.messageId, messageId));
};

describe('a resumable stream', () => {
  it('a resumable stream sends the ids of conversation and answer in headers, and the position in the text as the id of each text event', async () => {
    const { script, client } = await startAnswer('We open 😀');
    expect(client.messageId).toMatch(/^[\da-f-]{36}$/);
    script.send(' at nine\r\n');
    script.complete();
    await client.ended;
    expect(client.getText()).toBe('We open 😀. at nine\n');
    expect(client.getLastId()).toBe(String(client.getText().length));
    expect(client.events.at(-1)?.data).toBe('[DONE]');
    expect(await loadAnswer(client)).toMatchObject([{ state: 'complete', conversationId: client.conversationId }]);
  });

  it('a question whose stream cannot be stored fails, and is not counted', async () => {
    scriptAnswers(test);
    const { db } = test.gateway;
    await db.execute(sql`alter table quarry.answer_streams rename to hidden_streams`);
    onTestFinished(async () => {
      await db.execute(sql`alter table quarry.hidden_streams rename to answer_streams`);
    });
    const body = { query: 'Why?', streaming: true, resumable: true };
    expect((await tenant.api.post(`/api/agents/${agent}/query`).send(body)).status).toBe(500);
    expect((await tenant.api.get('/api/usage')).body).toMatchObject({ queries: { used: 0 } });
  });

  it('a stream that was requested without `resumable: true` has no event ids, and is not stored', async () => {
    const script = scriptAnswers(test);
    const client = await askAgent({ resumable: false });
    script.send('We open at nine.');
    script.complete();
    await client.ended;
    expect(client.events.map(({ id }) => id)).toEqual(client.events.map(() => undefined));
    expect(client.events.length).toBeGreaterThan(2);
    expect(await test.gateway.db.$count(answerStreams, eq(answerStreams.messageId, client.messageId))).toBe(0);
    expect((await tenant.api.get(getStreamPath(client))).status).toBe(404);
  });

  it.each(['the same gateway', 'another gateway'])(
    'a client that reconnects to %s receives the rest of an answer from the position at which its stream was interrupted',
    async (place) => {
      const { script, client } = await startAnswer('We open');
      client.disconnect();
      const resumed = await resumeAnswer(client, place === 'the same gateway' ? test : other);
      script.send(' at nine');
      await expectEventually(resumed.getText).toBe('. at nin');
      script.complete();
      await resumed.ended;
      expect(client.getText() + resumed.getText()).toBe('We open. at nine');
      expect(resumed.events.at(-1)?.data).toBe('[DONE]');
      const response = resumed.events.find(({ event }) => event === 'endpoint_response')?.data ?? '';
      expect(JSON.parse(response)).toMatchObject({
        ...{ answer: 'We open. at nine', messageId: client.messageId, conversationId: client.conversationId },
        ...{ sources: [], answeredBy: 'model', notes: [] },
      });
    },
  );

  it('several clients can read a resumable stream at the same time on each gateway, and each client receives the whole text', async () => {
    const { script, client } = await startAnswer('We open');
    const clients = await Promise.all(
      [test, test, other, other].map(async (place) => resumeAnswer(client, place, '0')),
    );
    script.send(' at nine');
    script.complete();
    for (const each of [client, ...clients]) {
      await each.ended;
      expect([each.getText(), each.events.at(-1)?.data]).toEqual(['We open. at nine', '[DONE]']);
    }
  });

  it('a resumable stream can be read for ten minutes after its end', async () => {
    const { script, client } = await startAnswer('We open');
    client.disconnect();
    script.complete();
    await expectEventually(async () => loadAnswer(client)).toMatchObject([{ state: 'complete' }]);
    for (const place of [test, other]) {
      const resumed = await resumeAnswer(client, place);
      await resumed.ended;
      expect([resumed.getText(), resumed.events.at(-1)?.data]).toEqual(['.', '[DONE]']);
    }
    await changeStream(client, { updatedAt: sql`now() - interval '11 minutes'` });
    expect((await tenant.api.get(getStreamPath(client))).status).toBe(404);
    await runWatchdog(test.gateway);
    expect(await test.gateway.db.$count(answerStreams, eq(answerStreams.messageId, client.messageId))).toBe(0);
  });

  it('a resumable stream of a failed answer can be resumed, and ends with the failure', async () => {
    const { script, client } = await startAnswer('We open');
    client.disconnect();
    script.fail();
    await expectEventually(async () => loadAnswer(client)).toMatchObject([{ state: 'failed' }]);
    for (const place of [test, other]) {
      const resumed = await resumeAnswer(client, place, '0');
      await resumed.ended;
      expect(resumed.events.map(({ data }) => data)).toEqual(['We open.', '[ERROR] model_unavailable: Gone.']);
    }
  });
});

describe('a resumable stream without a client', () => {
  it('a resumable answer that exceeds the size limit by one character fails', async () => {
    const script = scriptAnswers(test);
    const client = await askAgent();
    script.send('x'.repeat(1_000_001));
    script.complete();
    await client.ended;
    expect(client.events.at(-1)?.data).toMatch(/^\[ERROR\] answer_failed: A resumable answer is limited/);
    expect(await loadAnswer(client)).toMatchObject([{ state: 'failed' }]);
    await expectEventually(() => test.gateway.liveAnswers.size).toBe(0);
  });

  it('a resumable answer that no client reads is aborted after the grace period, and its text so far is stored', async () => {
    const { script, client } = await startAnswer('We open', brief);
    client.disconnect();
    await script.aborted;
    await expectEventually(async () => loadAnswer(client)).toMatchObject([{ state: 'interrupted', text: 'We open.' }]);
  });

  it('a resumable answer continues while a client reads its stream at another gateway', async () => {
    const { script, client } = await startAnswer('We open', brief);
    const resumed = await resumeAnswer(client, otherBrief);
    client.disconnect();
    const loadFollowedAt = async (): Promise<number> => {
      const isThis = eq(answerStreams.messageId, client.messageId);
      const [row] = await test.gateway.db.select().from(answerStreams).where(isThis);
      return row?.followedAt?.getTime() ?? 0;
    };
    await expectEventually(loadFollowedAt).toBeGreaterThan(0);
    const first = await loadFollowedAt();
    await expectEventually(loadFollowedAt).toBeGreaterThan(first + 2.5 * SHORT_GRACE_MS);
    script.send(' at nine');
    script.complete();
    await resumed.ended;
    expect([resumed.getText(), resumed.events.at(-1)?.data]).toEqual(['. at nine', '[DONE]']);
    expect(await loadAnswer(client)).toMatchObject([{ state: 'complete' }]);
  }, 30_000);

  it('a resumable answer to a request with an Idempotency-Key continues to its end without a client, and the replayed stream has event ids', async () => {
    const script = scriptAnswers(brief);
    const headers = { 'Idempotency-Key': 'resumable' };
    const client = await askAgent({}, brief, headers);
    client.disconnect();
    script.send('We open at nine');
    script.complete();
    await expectEventually(async () => loadAnswer(client)).toMatchObject([{ state: 'complete' }]);
    await brief.gateway.answers.waitUntilDone();
    const replayed = await askAgent({}, brief, headers);
    await replayed.ended;
    expect([replayed.messageId, replayed.getText(), replayed.getLastId()]).toEqual([
      client.messageId,
      'We open at nine',
      '15',
    ]);
  });
});

describe('a resumable stream whose gateway stops', () => {
  it('when the gateway that generates an answer stops, clients at other gateways receive the error `service_stopping`', async () => {
    const { client } = await startAnswer('We open');
    client.disconnect();
    const resumed = await resumeAnswer(client, other, '0');
    test.gateway.answers.abortAll(problem('service_stopping', 'The service is stopping.'));
    await resumed.ended;
    expect(resumed.getText()).toBe('We open.');
    expect(resumed.events.at(-1)?.data).toBe('[ERROR] service_stopping: The service is stopping.');
    expect(await loadAnswer(client)).toMatchObject([{ state: 'interrupted' }]);
  });

  it('when the gateway that generates an answer is killed, clients at other gateways receive the error `answer_failed`', async () => {
    const { client } = await startAnswer('We open');
    await expectEventually(async () => {
      const isThis = eq(answerStreams.messageId, client.messageId);
      return (await test.gateway.db.select().from(answerStreams).where(isThis))[0]?.text;
    }).toBe('We open');
    // No gateway generates an answer of this id, as if the gateway that generated it had been killed.
    const lost = { ...client, messageId: UNKNOWN_ID };
    await changeStream(client, { messageId: UNKNOWN_ID, updatedAt: sql`now() - interval '31 seconds'` });
    const resumed = await resumeAnswer(lost, other, '0');
    await resumed.ended;
    expect(resumed.events.map(({ data }) => data)).toEqual([
      'We open',
      expect.stringContaining('[ERROR] answer_failed'),
    ]);
  });

  it('if a gateway that forwards the answer of another gateway stops, its client receives no end event and can resume the stream at another gateway', async () => {
    const { script, client } = await startAnswer('We open');
    const first = await resumeAnswer(client, other, '0');
    await expectEventually(first.getText).toBe('We open');
    other.gateway.answers.abortAll(problem('service_stopping', 'The service is stopping.'));
    await first.ended;
    expect(first.events.map(({ data }) => data)).toEqual(['We open']);
    const second = await resumeAnswer({ ...client, getLastId: first.getLastId });
    script.complete();
    await second.ended;
    expect([second.getText(), second.events.at(-1)?.data]).toEqual(['.', '[DONE]']);
  });
});

describe('access to a resumable stream', () => {
  it('deleting a conversation ends its resumable streams, which return 404 afterwards', async () => {
    const conversationId = await startConversation();
    const script = scriptAnswers(test);
    const client = await askAgent({ conversationId });
    script.send('We open.');
    await expectEventually(client.getText).toBe('We open');
    const followers = await Promise.all([test, other].map(async (place) => resumeAnswer(client, place, '0')));
    expect((await tenant.api.delete(`/api/conversations/${conversationId}`)).status).toBe(204);
    expect((await tenant.api.get(getStreamPath(client))).status).toBe(404);
    script.send(' Always.');
    await script.aborted;
    for (const each of [client, ...followers]) {
      await each.ended;
      expect(each.events.at(-1)?.data).toMatch(/^\[ERROR\] not_found: /);
    }
    expect(await loadAnswer(client)).toEqual([]);
  });

  it('a resumable stream returns 404 to other organizations and to keys that cannot access the agent, and 401 to a revoked key', async () => {
    const { script, client } = await startAnswer('We open');
    const path = getStreamPath(client);
    expect((await (await test.createTenant()).api.get(path)).status).toBe(404);
    const limited = await tenant.addKey({ scopes: ['query'], agentIds: [await createAgent(tenant.api)] });
    expect((await test.createApi(limited.key).get(path)).status).toBe(404);
    const revoked = await tenant.addKey({ scopes: ['query'] });
    await tenant.api.delete(`/api/api-keys/${revoked.id}`);
    expect((await test.createApi(revoked.key).get(path)).status).toBe(401);
    const own = await tenant.addKey({ scopes: ['query'], agentIds: [agent] });
    script.complete();
    expect((await test.createApi(own.key).get(path)).text).toContain('[DONE]');
  });

  it('a resumable stream returns 404 for unknown ids, and if the answer belongs to another conversation', async () => {
    const { client } = await startAnswer('We open');
    for (const changed of [{ messageId: UNKNOWN_ID }, { conversationId: UNKNOWN_ID }, { messageId: 'no-id' }]) {
      expect((await tenant.api.get(getStreamPath({ ...client, ...changed }))).status).toBe(404);
    }
  });

  it.each(['x', '-1', '1.5', '99999999999'])(
    'a resumable stream refuses to resume from the position %s',
    async (position) => {
      const { client } = await startAnswer('We open');
      expect((await tenant.api.get(`${getStreamPath(client)}?after=${position}`)).status).toBe(400);
      expect((await tenant.api.get(getStreamPath(client)).set('Last-Event-ID', position)).status).toBe(400);
    },
  );

  it('an agent query with `resumable: true` but without `streaming: true` is refused', async () => {
    const response = await tenant.api.post(`/api/agents/${agent}/query`).send({ query: 'q', resumable: true });
    expect(response.body).toMatchObject({ status: 400, errors: [{ path: 'resumable' }] });
  });

  it('web pages of other origins can resume a stream, and can read the headers with the ids of conversation and answer', async () => {
    const headers = { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET' };
    const path = getStreamPath({ conversationId: UNKNOWN_ID, messageId: UNKNOWN_ID });
    const allowed = await test.createApi().options(path).set(headers);
    expect(allowed.headers['access-control-allow-headers']).toContain('Last-Event-ID');
    const exposed = String((await tenant.api.get(path).set(headers)).headers['access-control-expose-headers']);
    expect(exposed).toMatch(/Quarry-Conversation-Id.*Quarry-Message-Id/);
  });
});

/** Starts a conversation with a first question. @returns the id of the conversation */
async function startConversation(): Promise<string> {
  const script = scriptAnswers(test);
  script.send('Yes.');
  script.complete();
  const response = await tenant.api.post(`/api/agents/${agent}/query`).send({ query: 'q' });
  return getStringField(response, 'conversationId');
}
