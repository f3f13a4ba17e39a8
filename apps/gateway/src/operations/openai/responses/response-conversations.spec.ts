import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../../testing/create-resources.js';
import { expectEventually } from '../../../testing/expect-eventually.js';
import { streamEvents } from '../../../testing/fake-query-service.js';
import { scriptAnswers } from '../../../testing/script-answers.js';
import { type ResponseBody, setUpResponseTests } from '../../../testing/set-up-response-tests.js';

const { used, postResponse, createResponse, setNextAnswer, getLastQuestion } = setUpResponseTests();

const continueResponse = async (id: string, input: string) => createResponse({ input, previous_response_id: id });

/** Creates a response with this text as its input and as its answer. */
async function createTurn(text: string, body: object = {}): Promise<ResponseBody> {
  setNextAnswer(text);
  return createResponse({ input: text, ...body });
}

/** Continues a response. @returns the answers that the model receives with the new question, oldest first */
async function listContinuedAnswers(id: string): Promise<readonly string[]> {
  await continueResponse(id, 'Last?');
  const history = getLastQuestion()?.history ?? [];
  return history.filter(({ role }) => role === 'assistant').map(({ text }) => text);
}

async function deleteResponse({ id }: ResponseBody): Promise<void> {
  expect((await used.tenant.api.delete(`/v1/responses/${id}`)).status).toBe(200);
}

/** Stores 100 copies of the only turn of a conversation. The copies are not responses. */
async function copyTurn({ conversation }: ResponseBody): Promise<void> {
  const { db } = used.test.gateway;
  const id = conversation?.id.slice('conv_'.length) ?? '';
  await db.execute(sql`
    insert into quarry.messages (id, organization_id, conversation_id, turn, role, text, visitor_id, state, sources)
    select gen_random_uuid(), organization_id, conversation_id, turn + n, role, text, visitor_id, state, sources
    from quarry.messages, generate_series(1, 100) n where conversation_id = ${id}`);
  await db.execute(sql`update quarry.conversations set turns = turns + 100 where id = ${id}`);
}

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

  it('responses that continue a deleted first response do not continue each other', async () => {
    const first = await createTurn('1');
    const branch = { previous_response_id: first.id };
    await createTurn('2', branch);
    const third = await createTurn('3', branch);
    await deleteResponse(first);
    expect(await listContinuedAnswers(third.id)).toEqual(['3']);
  });

  it('a response that continues a deleted response of a conversation continues the turns before the deleted one', async () => {
    const { id, conversation } = await createTurn('1');
    await createTurn('2', { previous_response_id: id });
    const third = await createTurn('3', { conversation });
    await createTurn('4', { previous_response_id: id });
    const fifth = await createTurn('5', { previous_response_id: third.id });
    await deleteResponse(third);
    expect(await listContinuedAnswers(fifth.id)).toEqual(['1', '2', '5']);
  });

  it('a response that continues a conversation continues all its branches', async () => {
    const { id, conversation } = await createTurn('1');
    await createTurn('2', { previous_response_id: id });
    await createTurn('3', { previous_response_id: id });
    const fourth = await createTurn('4', { conversation });
    expect(await listContinuedAnswers(fourth.id)).toEqual(['1', '2', '3', '4']);
  });

  it('a response continues an earlier response with more than 100 other turns between them', async () => {
    const first = await createTurn('1');
    await copyTurn(first);
    const { id } = await createTurn('2', { previous_response_id: first.id });
    expect(await listContinuedAnswers(id)).toEqual(['1', '2']);
  });

  it('if a response is deleted while an answer continues it, that answer continues the response before it', async () => {
    const first = await createTurn('1');
    const second = await createTurn('2', { previous_response_id: first.id });
    const script = scriptAnswers(used.test);
    const asked = used.test.query.questions.length;
    const answered = continueResponse(second.id, 'Three?');
    await expectEventually(() => used.test.query.questions.length).toBe(asked + 1);
    await deleteResponse(second);
    script.send('3');
    script.complete();
    const { id } = await answered;
    setNextAnswer('4');
    expect(await listContinuedAnswers(id)).toEqual(['1', '3']);
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
