import { describe, expect, it } from 'vitest';
import { createAgent } from '../../../testing/create-resources.js';
import { streamEvents } from '../../../testing/fake-query-service.js';
import { setUpResponseTests } from '../../../testing/set-up-response-tests.js';

const { used, postResponse, createResponse, setNextAnswer, getLastQuestion } = setUpResponseTests();

const continueResponse = async (id: string, input: string) => createResponse({ input, previous_response_id: id });

describe('the conversations of POST /v1/responses', () => {
  it('POST /v1/responses sends the input and the answers of earlier responses to the model, without the instructions of those responses', async () => {
    setNextAnswer('1');
    const first = await createResponse({
      instructions: 'Be kind.',
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'One?' },
      ],
    });
    setNextAnswer('2');
    const second = await continueResponse(first.id, 'Two?');
    expect(second).toMatchObject({ previous_response_id: first.id, conversation: first.conversation });
    await createResponse({ input: 'Three?', conversation: first.conversation });
    expect(getLastQuestion()).toMatchObject({
      systemPrompt: 'Be brief.',
      history: ['One?', '1', 'Two?', '2'].map((text) => ({ text })),
      query: 'Three?',
    });
  });

  it('POST /v1/responses continues from the response that `previous_response_id` names, and ignores later responses', async () => {
    setNextAnswer('1');
    const { id: first } = await createResponse({ input: 'One?' });
    setNextAnswer('2');
    await continueResponse(first, 'Two?');
    setNextAnswer('3');
    const { id: third } = await continueResponse(first, 'Three?');
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1']);
    await continueResponse(third, 'Four?');
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1', 'Three?', '3']);
  });

  it('if POST /v1/responses continues a failed response, the history contains the responses before the failed one, except deleted responses', async () => {
    setNextAnswer('1');
    const { id: first } = await createResponse({ input: 'One?' });
    setNextAnswer('2');
    const { id: second } = await continueResponse(first, 'Two?');
    setNextAnswer('3');
    const { id: third } = await continueResponse(second, 'Three?');
    expect((await used.tenant.api.delete(`/v1/responses/${second}`)).status).toBe(200);
    const failure = { type: 'failed', code: 'model_unavailable', message: 'The model is unavailable.' } as const;
    used.test.query.answer = () => streamEvents([{ type: 'delta', text: 'x' }, failure]);
    const stream = await postResponse({ input: 'Four?', previous_response_id: third, stream: true });
    const [failed = ''] = /resp_[0-9a-f-]+/.exec(stream.text) ?? [];
    setNextAnswer('5');
    await continueResponse(failed, 'Five?');
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1', 'Three?', '3']);
  });

  it('if the input contains an `item_reference` to a stored answer, POST /v1/responses sends that answer to the model', async () => {
    setNextAnswer('1');
    const { id } = await createResponse({ input: 'One?' });
    const reference = { type: 'item_reference', id: id.replace('resp_', 'msg_') };
    const search = { type: 'item_reference', id: id.replace('resp_', 'fs_') };
    await createResponse({
      input: [{ role: 'user', content: 'One?' }, search, reference, { role: 'user', content: 'Two?' }],
    });
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1']);
  });

  it('POST /v1/responses refuses a `previous_response_id` of another agent', async () => {
    const { id } = await createResponse({});
    const model = `agent:${await createAgent(used.tenant.api, { name: 'Other' })}`;
    const refused = await postResponse({ model, previous_response_id: id });
    expect([refused.status, refused.body]).toMatchObject([400, { error: { param: 'previous_response_id' } }]);
  });
});
