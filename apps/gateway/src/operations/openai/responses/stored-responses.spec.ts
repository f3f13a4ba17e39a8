import { describe, expect, it } from 'vitest';
import { setUpResponseTests } from '../../../testing/set-up-response-tests.js';

const { used, createResponse } = setUpResponseTests();

describe('GET and DELETE /v1/responses/{id}', () => {
  it('GET /v1/responses/{id}/input_items lists the input items of a stored response', async () => {
    const input = [
      { role: 'system', content: 'Be kind.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Why?' },
    ];
    const { id } = await createResponse({ input });
    const listInputItems = (query: string) => used.tenant.api.get(`/v1/responses/${id}/input_items?${query}`);
    const all = (await listInputItems('order=asc')).body as { data: readonly { id: string }[] };
    expect(all).toMatchObject({
      object: 'list',
      data: [
        { role: 'system', content: [{ type: 'input_text', text: 'Be kind.' }] },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] },
        { role: 'user', content: [{ type: 'input_text', text: 'Why?' }] },
      ],
      has_more: false,
    });
    expect((await listInputItems('limit=1')).body).toMatchObject({ data: [{ role: 'user' }], has_more: true });
    const rest = await listInputItems(`after=${all.data[1]?.id ?? ''}`);
    expect(rest.body).toMatchObject({ data: [{ role: 'system' }], has_more: false });
    expect((await listInputItems('after=x')).status).toBe(400);
  });

  it('deleting a response deletes its question, and deleting the last response of a conversation deletes the conversation', async () => {
    const { api } = used.tenant;
    const first = await createResponse({});
    const second = await createResponse({ previous_response_id: first.id });
    const conversation = `/api/conversations/${first.conversation?.id.slice('conv_'.length) ?? ''}`;
    const feedback = `${conversation}/messages/${first.id.slice('resp_'.length)}/feedback`;
    expect((await api.put(feedback).send({ rating: 'down' })).status).toBe(200);
    expect((await api.get(conversation)).body).toMatchObject({ messages: 4, unanswered: 2, feedback: { down: 1 } });
    expect((await api.delete(`/v1/responses/${first.id}`)).body).toEqual({
      id: first.id,
      object: 'response',
      deleted: true,
    });
    expect((await api.get(`/v1/responses/${first.id}`)).status).toBe(404);
    expect((await api.get(conversation)).body).toMatchObject({ messages: 2, unanswered: 1, feedback: { down: 0 } });
    await api.delete(`/v1/responses/${second.id}`);
    expect((await api.get(conversation)).status).toBe(404);
  });

  it("GET /v1/responses/{id} returns 404 for the id of an answer that was requested by Quarry's own API", async () => {
    const asked = await used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'Why?' });
    const { messageId } = asked.body as { messageId: string }; // an answer
    expect((await used.tenant.api.get(`/v1/responses/resp_${messageId}`)).status).toBe(404);
  });
});
