import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startFakeModel } from './quarry/fake-model.js';
import { describeStacks } from './quarry/stacks.js';

const model = await startFakeModel();
afterAll(() => model.stop());

/** A model costs as long as it speaks. */
const ABORT_WITHIN_MS = 1_000;
const needs = {
  variables: model.variables,
  servers: () => [model.url],
  notAtAddress: 'it asks a model of its own',
};

describeStacks('answers of a model', needs, (client) => {
  let agentId: string;
  beforeAll(async () => {
    const datastoreId = await client().createDatastore('Tales');
    const [id = ''] = await client().upsert(datastoreId, [{ name: 'tale', text: 'The tale begins once upon a time.' }]);
    await client().waitFor(id, ['synched']);
    agentId = await client().createAgent('Teller', [datastoreId]);
  });

  it('come as a stream that ends with the response', async () => {
    model.conduct = 'ends';
    const streamed = await client().stream(agentId, { query: 'How does the tale begin?' });
    expect(streamed.fragments.join('')).toBe('Once upon a time.');
    expect(streamed).toMatchObject({ response: { answer: 'Once upon a time.' }, end: '[DONE]' });
  });

  it('end at the model within a second when the client leaves, and keep what was said', async () => {
    model.conduct = 'hangs';
    const leaving = new AbortController();
    const response = await client().openStream(agentId, { query: 'How does the tale begin?' }, leaving.signal);
    await firstOf(response);
    const left = model.left();
    const before = performance.now();
    leaving.abort();
    await left;
    expect(performance.now() - before).toBeLessThan(ABORT_WITHIN_MS);
    await vi.waitFor(async () => {
      expect(await client().lastMessages(agentId)).toMatchObject([
        { role: 'user', text: 'How does the tale begin?', state: 'interrupted' },
        { role: 'assistant', text: 'Once', state: 'interrupted' },
      ]);
    }, 10_000);
  });

  it('end with [ERROR] when the provider dies, and leave a conversation that goes on', async () => {
    model.conduct = 'dies';
    const response = await client().openStream(agentId, { query: 'How does the tale begin?' });
    expect(await response.text()).toMatch(/data: e\n\ndata: \[ERROR\] model_unavailable: [^\n]+\n\n$/);
    const messages = await client().lastMessages(agentId);
    expect(messages).toMatchObject([{ state: 'failed' }, { role: 'assistant', text: 'Once', state: 'failed' }]);
    model.conduct = 'ends';
    const { id } = await client().lastConversation(agentId);
    expect(await client().ask(agentId, { query: 'How does the tale begin?', conversationId: id })).toMatchObject({
      conversationId: id,
      answer: 'Once upon a time.',
    });
  });
});

/** Resolves when something of the answer has come. */
async function firstOf({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('data: ')) {
    const next = await reader?.read();
    if (next?.value === undefined) throw new Error(`an answer was expected, found ${JSON.stringify(text)}`);
    text += decoder.decode(next.value as Uint8Array, { stream: true }); // bytes are what a body has
  }
  reader?.releaseLock();
}
