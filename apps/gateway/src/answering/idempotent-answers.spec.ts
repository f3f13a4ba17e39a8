import { randomUUID } from 'node:crypto';
import { parseAnswerEvents } from '@quarry/client';
import type { AnswerEvent } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { acquireResponseLease } from '../idempotency/acquire-response-lease.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { createAgent, getStringField } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const HOUR_MS = 3_600_000;

let now = new Date();
let test: TestGateway;
let tenant: Tenant;
let agent: string;
let earlierQuestions: number;

beforeAll(async () => {
  test = await startTestGateway({ clock: () => now });
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  now = new Date();
  tenant = await test.createTenant();
  agent = await createAgent(tenant.api);
  earlierQuestions = test.query.questions.length;
});
afterEach(() => {
  test.query.answer = () => streamEvents([buildCompletedEvent('Yes.')]);
});

const getQueryPath = (): string => `/api/agents/${agent}/query`;
const askAgent = (key: string, body: object = {}) =>
  tenant.api
    .post(getQueryPath())
    .set('Idempotency-Key', key)
    .send({ query: 'Why?', ...body });
const countQuestions = (): number => test.query.questions.length - earlierQuestions;
const getUsage = async (): Promise<unknown> => (await tenant.api.get('/api/usage')).body as unknown;

/** Makes the next answer pause after its first text. @returns a function that lets the answer continue */
function pauseAnswer(): () => void {
  const released = Promise.withResolvers<undefined>();
  test.query.answer = async function* () {
    yield { type: 'delta', text: 'Be' };
    await released.promise;
    yield* streamEvents([{ type: 'delta', text: 'cause.' }, buildCompletedEvent('Because.')]);
  };
  return () => {
    released.resolve(undefined);
  };
}

/** Reads the text of a streamed answer with the client library. @throws if the stream does not end with `[DONE]` */
async function readStreamedText(stream: string): Promise<string> {
  let text = '';
  for await (const event of parseAnswerEvents(new Blob([stream]).stream()))
    text += event.type === 'answer' ? event.text : '';
  return text;
}

describe('a question with an Idempotency-Key', () => {
  it.each([false, true])(
    'a question that is sent twice with the same Idempotency-Key is answered and counted once, and gets the same answer twice (streaming: %s)',
    async (streaming) => {
      const events: AnswerEvent[] = [
        { type: 'delta', text: 'Bec' },
        { type: 'delta', text: 'ause.\n' },
        buildCompletedEvent('Because.\n'),
      ];
      test.query.answer = () => streamEvents(events);
      const key = randomUUID();
      const first = await askAgent(key, { streaming });
      const second = await askAgent(key, { streaming });
      expect(second.status).toBe(200);
      expect(second.headers['content-type']).toBe(first.headers['content-type']);
      expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
        undefined,
        'true',
      ]);
      if (streaming) {
        const getLastEvent = (text: string): string => text.slice(text.indexOf('event: endpoint_response'));
        expect(getLastEvent(second.text)).toBe(getLastEvent(first.text));
        expect(await readStreamedText(second.text)).toBe(await readStreamedText(first.text));
      } else {
        expect(second.body).toEqual(first.body);
      }
      expect(countQuestions()).toBe(1);
      expect(await getUsage()).toMatchObject({ queries: { used: 1 } });
      expect((await tenant.api.get('/api/conversations')).body).toMatchObject({ items: [{ turns: 1 }] });
    },
  );

  it('a repeated question is answered again after 24 hours, or if the Idempotency-Key or the API key differs', async () => {
    const key = randomUUID();
    const first = await askAgent(key);
    const other = await tenant.addKey({});
    const theirs = await test
      .createApi(other.key)
      .post(getQueryPath())
      .set('Idempotency-Key', key)
      .send({ query: 'Why?' });
    expect(getStringField(theirs, 'conversationId')).not.toBe(getStringField(first, 'conversationId'));
    await askAgent(randomUUID());
    now = new Date(now.getTime() + 25 * HOUR_MS);
    await askAgent(key);
    expect(countQuestions()).toBe(4);
  });

  it('a question is refused when its Idempotency-Key was used for another question', async () => {
    const key = randomUUID();
    await askAgent(key);
    expect((await askAgent(key, { query: 'Who?' })).body).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    });
    expect(countQuestions()).toBe(1);
  });

  it('a question is refused while the same question with the same Idempotency-Key is being answered', async () => {
    const release = pauseAnswer();
    const key = randomUUID();
    const first = askAgent(key).then((response) => response);
    await expectEventually(countQuestions).toBe(1);
    const second = await askAgent(key);
    expect(second.body).toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
    expect(second.headers['retry-after']).toBe('5');
    release();
    const answered = await first;
    expect(answered.status).toBe(200);
    expect((await askAgent(key)).body).toEqual(answered.body);
    expect(countQuestions()).toBe(1);
  });

  it.each([
    ['fails', () => streamEvents([{ type: 'failed', code: 'model_unavailable', message: 'down' }])],
    ['ends without a final event', () => streamEvents([{ type: 'delta', text: 'Half' }])],
  ] as const)('a question can be asked again with the same Idempotency-Key if its answer %s', async (_how, answer) => {
    test.query.answer = answer;
    const key = randomUUID();
    expect((await askAgent(key)).status).toBeGreaterThanOrEqual(500);
    test.query.answer = () => streamEvents([buildCompletedEvent('Yes.')]);
    expect((await askAgent(key)).body).toMatchObject({ answer: 'Yes.' });
    expect(countQuestions()).toBe(2);
  });

  it('a question can be asked again with the same Idempotency-Key after the query service has refused the question', async () => {
    test.query.refusal = { status: 424, body: { code: 'model_not_configured', detail: 'none' } };
    const key = randomUUID();
    expect((await askAgent(key)).status).toBe(424);
    test.query.refusal = undefined;
    expect((await askAgent(key)).status).toBe(200);
  });

  it.each([false, true])(
    'a question with an Idempotency-Key is answered completely even if the client disconnects (streaming: %s)',
    async (streaming) => {
      const release = pauseAnswer();
      const key = randomUUID();
      const disconnect = new AbortController();
      const response = fetch(new URL(getQueryPath(), test.url), {
        method: 'POST',
        headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify({ query: 'Why?', streaming }),
        signal: disconnect.signal,
      }).then(async (given) => given.text());
      await expectEventually(countQuestions).toBe(1);
      disconnect.abort();
      await expect(response).rejects.toThrow('aborted');
      release();
      await test.gateway.answers.waitUntilDone();
      const again = await askAgent(key, { streaming });
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.text).toContain('Because.');
      expect(countQuestions()).toBe(1);
    },
  );

  it.each([
    ['/api/agents/{id}/query', () => ({ query: 'Why?' })],
    ['/v1/chat/completions', () => ({ model: `agent:${agent}`, messages: [{ role: 'user', content: 'Why?' }] })],
    ['/v1/responses', () => ({ model: `agent:${agent}`, input: 'Why?' })],
  ])(
    'after its agent was deleted, a repeated question to %s receives 404, because the answers of the agent were deleted, too',
    async (path, buildBody) => {
      const ask = async () =>
        tenant.api.post(path.replace('{id}', agent)).set('Idempotency-Key', 'deleted').send(buildBody());
      expect((await ask()).status).toBe(200);
      expect((await ask()).status).toBe(200);
      expect((await tenant.api.delete(`/api/agents/${agent}`)).status).toBe(204);
      expect((await ask()).status).toBe(404);
      expect(countQuestions()).toBe(1);
    },
  );

  it('a question is refused with 400 if its Idempotency-Key contains spaces', async () => {
    expect((await askAgent('with blanks in it')).body).toMatchObject({
      status: 400,
      errors: [{ path: 'Idempotency-Key' }],
    });
  });
});

describe('the lease of an answer', () => {
  const buildClaim = () => ({
    ...{ organizationId: tenant.organizationId, apiKeyId, route: 'POST /agents/:id/query', keyHash: randomUUID() },
    ...{ fingerprint: 'f', secretCipher: test.secretCipher },
  });
  let apiKeyId: string;
  beforeEach(async () => {
    ({ id: apiKeyId } = await tenant.addKey({}));
  });
  const getLeaseExpiry = async () => {
    const [row] = await test.gateway.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.apiKeyId, apiKeyId));
    return row?.expiresAt.getTime();
  };

  it('the lease of a request with an Idempotency-Key is renewed while its answer is in progress, and expires if the gateway crashes', async () => {
    const claimed = buildClaim();
    const lease = await acquireResponseLease(test.gateway, claimed, 5);
    if (typeof lease === 'string') throw new Error('expected a lease, found a response');
    const before = await getLeaseExpiry();
    now = new Date(now.getTime() + 50_000);
    await expectEventually(getLeaseExpiry).toBe((before ?? 0) + 50_000);
    await lease.end();
    expect(await getLeaseExpiry()).toBeUndefined();
    await acquireResponseLease(test.gateway, claimed, HOUR_MS);
    await expect(acquireResponseLease(test.gateway, claimed, HOUR_MS)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    });
    now = new Date(now.getTime() + 61_000);
    expect(await acquireResponseLease(test.gateway, claimed, HOUR_MS)).toHaveProperty('end');
  });
});
