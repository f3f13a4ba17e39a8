import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { beforeEach, describe, expect, it } from 'vitest';
import { revokeKey } from '../../../keys/key-repository.js';
import { OPERATIONS } from '../../../operations/operations.js';
import { buildCompletedEvent, streamEvents } from '../../../testing/fake-query-service.js';
import { getStringField, createAgent, createDatastore } from '../../../testing/create-resources.js';
import { signIn } from '../../../testing/sign-in.js';
import type { Api } from '../../../testing/start-test-gateway.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';
import { TRANSLATORS } from '../add-translators.js';

const used = setUpTenant();

let key: { readonly id: string; readonly key: string };
let api: Api;
beforeEach(async () => {
  key = await used.tenant.addKey({ compatibility: 'chaindesk' });
  api = used.test.createUndocumentedApi(key.key);
});

function parseEvents(text: string): readonly EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => events.push(event) }).feed(text);
  return events;
}

const joinDecoded = (events: readonly EventSourceMessage[], name: string): string =>
  events.flatMap(({ event, data }) => (event === name ? [decodeURIComponent(data)] : [])).join('');

it('every key of TRANSLATORS is the id of an operation', () => {
  const ids = OPERATIONS.map(({ id }) => id);
  for (const translators of Object.values(TRANSLATORS))
    expect(ids).toEqual(expect.arrayContaining(Object.keys(translators)));
});

describe('a key with the compatibility chaindesk', () => {
  it('the responses to requests that create, read or list API keys contain the compatibility of each key', async () => {
    const body = { name: 'Zapier', scopes: ['query'], compatibility: 'chaindesk' };
    const created = await used.tenant.api.post('/api/api-keys').send(body);
    expect(created.body).toMatchObject({ compatibility: 'chaindesk' });
    const id = getStringField(created, 'id');
    expect((await used.tenant.api.get(`/api/api-keys/${id}`)).body).toMatchObject({ compatibility: 'chaindesk' });
    const { items } = (await used.tenant.api.get('/api/api-keys')).body as { items: { compatibility: unknown }[] };
    expect(items.map(({ compatibility }) => compatibility)).toEqual(['chaindesk', 'chaindesk', null]);
    for (const none of [null, undefined]) {
      const plain = await used.tenant.api.post('/api/api-keys').send({ ...body, compatibility: none });
      expect(plain.body).toMatchObject({ compatibility: null });
    }
    const unknown = await used.tenant.api.post('/api/api-keys').send({ ...body, compatibility: 'openai' });
    expect(unknown.body).toMatchObject({ status: 400, errors: [{ path: 'compatibility' }] });
  });

  it('a key for Chaindesk clients lists all agents or datastores as one array, without pages', async () => {
    for (let made = 0; made < 51; made += 1) await createDatastore(used.tenant.api);
    const datastores = await api.get('/api/datastores');
    expect(datastores.body).toHaveLength(52);
    expect((datastores.body as unknown[]).at(-1)).toMatchObject({ id: used.datastore, name: 'manuals' });
    expect((await api.get('/api/agents')).body).toMatchObject([{ id: used.agent, name: 'helper' }]);
    expect(datastores.headers['quarry-next-cursor']).toBeUndefined();
  });

  it('a list for Chaindesk clients obeys the parameter `limit`, and has the cursor of the next page in the header Quarry-Next-Cursor', async () => {
    await createAgent(used.tenant.api, { name: 'second' });
    const first = await api.get('/api/agents?limit=1');
    expect(first.body).toMatchObject([{ name: 'second' }]);
    const cursor = String(first.headers['quarry-next-cursor']);
    expect((await api.get('/api/agents').query({ limit: 1, cursor })).body).toMatchObject([{ id: used.agent }]);
  });

  it('a datastore query of a Chaindesk client returns { results }, or an array if the header Accept is application/json', async () => {
    const runSearch = (accept?: string) => {
      const asked = api.post(`/api/datastores/${used.datastore}/query`);
      return (accept === undefined ? asked : asked.set('Accept', accept)).send({ query: 'q' });
    };
    for (const accept of [undefined, '*/*', 'application/json, text/plain, */*']) {
      expect((await runSearch(accept)).body).toEqual({ results: [] });
    }
    expect((await runSearch('application/json')).body).toEqual([]);
  });

  it('a conversation for Chaindesk clients contains the newest messages, newest first', async () => {
    const asked = await api.post(`/api/agents/${used.agent}/query`).send({ query: 'First?' });
    const conversationId = getStringField(asked, 'conversationId');
    await api.post(`/api/agents/${used.agent}/query`).send({ query: 'Second?', conversationId });
    const shown = await api.get(`/api/conversations/${conversationId.toUpperCase()}`);
    const { messages } = shown.body as { messages: { createdAt: string }[] };
    expect(messages).toMatchObject([
      { from: 'agent', text: 'Yes.' },
      { from: 'human', text: 'Second?' },
      { from: 'agent', text: 'Yes.' },
      { from: 'human', text: 'First?' },
    ]);
    for (const message of messages) {
      expect(Object.keys(message).toSorted()).toEqual(['createdAt', 'from', 'id', 'text']);
      expect(Date.parse(message.createdAt)).not.toBeNaN();
    }
    expect(shown.body).toMatchObject({ id: conversationId, agentId: used.agent });
  });

  it('the response of /me to Chaindesk clients contains the name of the organization as a top-level field', async () => {
    expect((await api.get('/api/me')).body).toMatchObject({
      id: used.tenant.organizationId,
      name: 'tenant',
      organization: { name: 'tenant' },
      key: { id: key.id, compatibility: 'chaindesk' },
    });
  });

  it('the events of a stream for Chaindesk clients are encoded for decodeURIComponent', async () => {
    const answer = '100 % sure\n\n# é 😀 %41';
    used.test.query.answer = () => streamEvents([{ type: 'delta', text: answer }, buildCompletedEvent(answer)]);
    const streamed = await api.post(`/api/agents/${used.agent}/query`).send({ query: 'q', streaming: true });
    const events = parseEvents(streamed.text);
    expect(joinDecoded(events, 'answer')).toBe(answer);
    expect(JSON.parse(joinDecoded(events, 'endpoint_response'))).toMatchObject({ answer, sources: [] });
    expect(events.at(-1)).toMatchObject({ data: '[DONE]' });
    expect(events.filter(({ event }) => event !== undefined).every(({ data }) => /^[^ \n]*$/.test(data))).toBe(true);
  });

  it('the events of a resumed stream and of a replayed answer are encoded like the events of the original answer', async () => {
    const answer = '50 % é';
    used.test.query.answer = () => streamEvents([{ type: 'delta', text: answer }, buildCompletedEvent(answer)]);
    const askQuestion = async () =>
      api
        .post(`/api/agents/${used.agent}/query`)
        .set('Idempotency-Key', 'k1')
        .send({ query: 'q', streaming: true, resumable: true });
    const first = await askQuestion();
    const replayed = await askQuestion();
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    const { 'quarry-conversation-id': conversation, 'quarry-message-id': message } = first.headers;
    const resumed = await api.get(`/api/conversations/${String(conversation)}/messages/${String(message)}/stream`);
    for (const { text } of [first, replayed, resumed]) expect(joinDecoded(parseEvents(text), 'answer')).toBe(answer);
  });

  it('a question of a Chaindesk client continues the conversation with the given id, or starts a new one if this id is unknown', async () => {
    const askQuestion = async (conversationId: string) =>
      api.post(`/api/agents/${used.agent}/query`).send({ query: 'q', conversationId });
    const started = await askQuestion('clvw8stys000o356uzduzsprx');
    const id = getStringField(started, 'conversationId');
    expect(getStringField(await askQuestion(id), 'conversationId')).toBe(id);
    const plain = await used.tenant.api
      .post(`/api/agents/${used.agent}/query`)
      .send({ query: 'q', conversationId: 'clvw8stys000o356uzduzsprx' });
    expect(plain.status).toBe(404);
  });

  it('a revoked key for Chaindesk clients is refused with 403, and any other revoked key with 401', async () => {
    const plain = await used.tenant.addKey({});
    const now = new Date();
    for (const { id } of [key, plain]) await revokeKey(used.test.gateway.db, used.tenant.organizationId, id, now);
    const refused = await api.get('/api/me');
    expect([refused.status, getStringField(refused, 'error')]).toEqual([403, 'UNAUTHORIZED']);
    expect((await used.test.createApi(plain.key).get('/api/me')).status).toBe(401);
  });

  it('the compatibility of a key does not change the responses to a session that was opened with the key', async () => {
    const session = await signIn(used.test, key.key);
    expect((await session.get('/api/agents')).body).toMatchObject({ items: [{ id: used.agent }], next_cursor: null });
  });

  it('the compatibility of a key does not change the responses to other keys', async () => {
    expect((await used.tenant.api.get('/api/agents')).body).toMatchObject({ items: [{ id: used.agent }] });
    expect((await used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q' })).body).toEqual(
      [],
    );
  });
});
