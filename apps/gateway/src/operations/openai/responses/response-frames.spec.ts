import type { AnswerEvent } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { streamEvents } from '../../../testing/fake-query-service.js';
import { readResponseEvents, type ResponseBody, setUpResponseTests } from '../../../testing/set-up-response-tests.js';

const { used, postResponse, setNextAnswer, createSources } = setUpResponseTests();

describe('the event stream of POST /v1/responses', () => {
  it('POST /v1/responses streams every event of a response in order', async () => {
    const { sources } = await createSources();
    setNextAnswer('So [2].', { sources });
    const tools = [{ type: 'file_search', vector_store_ids: [`vs_${used.datastore}`] }];
    const response = await postResponse({ stream: true, tools, include: ['file_search_call.results'] });
    expect(response.type).toBe('text/event-stream');
    const events = readResponseEvents(response.text);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      ...['created', 'in_progress'],
      ...['output_item.added', 'file_search_call.in_progress', 'file_search_call.searching'],
      ...['file_search_call.completed', 'output_item.added', 'content_part.added', 'output_text.delta'],
      ...['output_text.annotation.added', 'output_text.done', 'content_part.done', 'output_item.done'],
      ...['output_item.done', 'completed'],
    ]);
    expect(events[0]).toMatchObject({ response: { status: 'in_progress', completed_at: null } });
    const { response: last } = events.at(-1) as unknown as { response: ResponseBody };
    expect(last).toMatchObject({ status: 'completed', output: [{ results: [{}, {}] }, { type: 'message' }] });
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ item }) => item)).toEqual([last.output[1], last.output[0]]);
    const stored = await used.tenant.api.get(`/v1/responses/${last.id}?include=file_search_call.results`);
    expect(stored.body).toEqual(last);
  });

  it('POST /v1/responses sends the error of a failed answer as an event of the stream, or as an error response if no stream was requested', async () => {
    const events: AnswerEvent[] = [
      { type: 'delta', text: 'So' },
      { type: 'failed', code: 'model_interrupted', message: 'The model stopped.' },
    ];
    used.test.query.answer = () => streamEvents(events);
    const sent = readResponseEvents((await postResponse({ stream: true })).text);
    const failed = { status: 'failed', error: { code: 'model_interrupted', message: 'The model stopped.' } };
    expect(sent.at(-1)).toMatchObject({ type: 'response.failed', response: failed });
    const { response } = sent.at(-1) as unknown as { response: ResponseBody };
    const stored = await used.tenant.api.get(`/v1/responses/${response.id}`);
    expect(stored.body).toMatchObject({ status: 'failed', error: {}, output: [{ content: [{ text: 'So' }] }] });
    expect(await postResponse({})).toMatchObject({ status: 502, body: { error: { code: 'model_interrupted' } } });
  });
});
