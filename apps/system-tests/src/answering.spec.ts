import type { Message } from '@quarry/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startFakeModel } from './quarry/fake-model.js';
import { describeOnEachStack } from './quarry/stacks.js';
import { readAnswerStream } from './quarry/read-stream.js';

const model = await startFakeModel();
afterAll(() => model.stop());

/** Maximum time from the disconnection of the client to the cancellation of the model's request, in milliseconds. */
const ABORT_WITHIN_MS = 1_000;
const QUESTION = { query: 'How does the tale begin?' };
const needs = {
  variables: model.variables,
  servers: () => [model.url],
  notAtAddress: 'it needs the simulated model of the tests',
};

describeOnEachStack('answers of a model', needs, (quarry) => {
  let agentId: string;
  beforeAll(async () => {
    const { id: datastoreId } = await quarry().createDatastore({ name: 'Tales' });
    const tale = { name: 'tale', text: 'The tale begins once upon a time.' };
    const { ids } = await quarry().upsertDocuments(datastoreId, [tale]);
    for (const id of ids) expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched' });
    ({ id: agentId } = await quarry().createAgent({ name: 'Teller', datastoreIds: [datastoreId] }));
  });

  /** Returns the newest conversation of the agent `agentId`, and the messages of the conversation, oldest first. */
  async function getLastConversation(): Promise<{ readonly id: string; readonly messages: readonly Message[] }> {
    const [last] = (await quarry().listConversations({ agentId, limit: 1 })).items;
    if (last === undefined) throw new Error(`expected a conversation of agent ${agentId}, found none`);
    return { id: last.id, messages: (await quarry().listMessages(last.id)).items };
  }

  it('a streamed answer ends with a response that contains the complete answer', async () => {
    model.behaviour = 'ends';
    const { pieces, response } = await readAnswerStream(quarry(), agentId, QUESTION);
    expect(pieces.join('')).toBe('Once upon a time.');
    expect(response).toMatchObject({ answer: 'Once upon a time.' });
  });

  it('Quarry cancels the request to the model within a second after the client disconnects, and stores the partial answer', async () => {
    model.behaviour = 'hangs';
    const leaving = new AbortController();
    const answer = quarry().streamAgent(agentId, QUESTION, { signal: leaving.signal });
    expect(await answer.next()).toMatchObject({ value: { type: 'answer' } });
    const left = model.waitForDisconnect();
    const before = performance.now();
    leaving.abort();
    await left;
    await expect(answer.next()).rejects.toThrow(/aborted/);
    expect(performance.now() - before).toBeLessThan(ABORT_WITHIN_MS);
    await vi.waitFor(async () => {
      expect((await getLastConversation()).messages).toMatchObject([
        { role: 'user', text: 'How does the tale begin?', state: 'interrupted' },
        { role: 'assistant', text: 'Once', state: 'interrupted' },
      ]);
    }, 10_000);
  });

  it('if the model fails during an answer, the stream ends with an error code, and the conversation can be continued', async () => {
    model.behaviour = 'dies';
    await expect(readAnswerStream(quarry(), agentId, QUESTION)).rejects.toMatchObject({
      status: 200,
      code: 'model_interrupted',
    });
    const { id, messages } = await getLastConversation();
    expect(messages).toMatchObject([{ state: 'failed' }, { role: 'assistant', text: 'Once', state: 'failed' }]);
    model.behaviour = 'ends';
    expect(await quarry().queryAgent(agentId, { ...QUESTION, conversationId: id })).toMatchObject({
      conversationId: id,
      answer: 'Once upon a time.',
    });
  });
});
