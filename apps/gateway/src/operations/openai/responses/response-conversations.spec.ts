import { describe, expect, it } from 'vitest';
import { makeAgent } from '../../../testing/create-resources.js';
import { setUpResponseTests } from '../../../testing/use-responses.js';

const { used, ask, create, answer, getLastQuestion } = setUpResponseTests();

const continueFrom = async (id: string, input: string) => create({ input, previous_response_id: id });

describe('the conversations of POST /v1/responses', () => {
  it('POST /v1/responses sends the input and the answers of earlier responses to the model, without their instructions', async () => {
    answer('1');
    const first = await create({
      instructions: 'Be kind.',
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'One?' },
      ],
    });
    answer('2');
    const second = await continueFrom(first.id, 'Two?');
    expect(second).toMatchObject({ previous_response_id: first.id, conversation: first.conversation });
    await create({ input: 'Three?', conversation: first.conversation });
    expect(getLastQuestion()).toMatchObject({
      systemPrompt: 'Be brief.',
      history: ['One?', '1', 'Two?', '2'].map((text) => ({ text })),
      query: 'Three?',
    });
  });

  it('POST /v1/responses continues from an earlier response, and ignores the later ones', async () => {
    answer('1');
    const { id: first } = await create({ input: 'One?' });
    answer('2');
    await continueFrom(first, 'Two?');
    answer('3');
    const { id: third } = await continueFrom(first, 'Three?');
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1']);
    await continueFrom(third, 'Four?');
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1', 'Three?', '3']);
  });

  it('POST /v1/responses sends the model the answer to which an item of the input refers', async () => {
    answer('1');
    const { id } = await create({ input: 'One?' });
    const reference = { type: 'item_reference', id: id.replace('resp_', 'msg_') };
    const search = { type: 'item_reference', id: id.replace('resp_', 'fs_') };
    await create({ input: [{ role: 'user', content: 'One?' }, search, reference, { role: 'user', content: 'Two?' }] });
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1']);
  });

  it('POST /v1/responses refuses a response of another agent', async () => {
    const { id } = await create({});
    const model = `agent:${await makeAgent(used.tenant.api, { name: 'Other' })}`;
    const refused = await ask({ model, previous_response_id: id });
    expect([refused.status, refused.body]).toMatchObject([400, { error: { param: 'previous_response_id' } }]);
  });
});
