import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();
const askAgent = (body: object = {}) =>
  used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'q', streaming: true, ...body });

function parseEvents(text: string): readonly EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  parser.feed(text);
  return events;
}

const joinData = (events: readonly EventSourceMessage[], name: string): string =>
  events.flatMap(({ event, data }) => (event === name ? [data] : [])).join('');

describe('The events of an answer stream', () => {
  it('the events `answer` of a stream contain pieces of text, which form the answer when they are joined in order', async () => {
    const pieces = ['The', ' price\n\nis ', '50 %', ' [DONE]', '[ERROR] no', 'event: x'];
    const answer = pieces.join('');
    used.test.query.answer = () =>
      streamEvents([...pieces.map((text) => ({ type: 'delta', text }) as const), buildCompletedEvent(answer)]);
    const response = await askAgent();
    expect([response.status, response.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const events = parseEvents(response.text);
    expect(joinData(events, 'answer')).toBe(answer);
    expect(events.filter(({ event }) => event === 'answer').length).toBeGreaterThan(1);
  });

  it('the events `endpoint_response` of a stream contain pieces of JSON, which form the response when they are joined in order', async () => {
    const answer = 'x % é 😀'.repeat(2_000);
    used.test.query.answer = () => streamEvents([buildCompletedEvent(answer)]);
    const events = parseEvents((await askAgent({ visitorId: 'ann' })).text);
    expect(events.filter(({ event }) => event === 'endpoint_response').length).toBeGreaterThan(1);
    const text = joinData(events, 'endpoint_response');
    const parsed: unknown = JSON.parse(text);
    expect(parsed).toMatchObject({
      answer,
      sources: [],
      visitorId: 'ann',
      conversationId: expect.any(String) as string,
    });
    // Some clients percent-decode the text before they parse it.
    expect(JSON.parse(decodeURIComponent(text))).toEqual(parsed);
  });

  it('the event `[DONE]` is the last event of an answer stream', async () => {
    const { text } = await askAgent();
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(parseEvents(text).at(-1)).toMatchObject({ event: undefined, data: '[DONE]' });
  });

  it('the event `[ERROR]` ends an answer stream after an error', async () => {
    used.test.query.answer = () =>
      streamEvents([
        { type: 'delta', text: 'Half' },
        { type: 'failed', code: 'model_unavailable', message: 'Gone.' },
      ]);
    const response = await askAgent();
    expect(response.status).toBe(200);
    expect(parseEvents(response.text).map(({ data }) => data)).toEqual([
      'Hal',
      'f',
      '[ERROR] model_unavailable: Gone.',
    ]);
  });

  it('if the API refuses a query for a streamed answer, the response has an HTTP error status and no events', async () => {
    expect((await askAgent({ query: '' })).status).toBe(400);
    expect((await askAgent({ conversationId: 'none' })).status).toBe(404);
    expect(
      (await used.test.createApi('qk_none').post(`/api/agents/${used.agent}/query`).send({ streaming: true })).status,
    ).toBe(401);
    used.test.query.refusal = { status: 424, body: { code: 'model_not_configured', detail: 'No.' } };
    const refused = await askAgent();
    expect([refused.status, refused.type]).toEqual([424, 'application/problem+json']);
  });
});
