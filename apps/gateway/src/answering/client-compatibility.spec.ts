import { createClient, parseAnswerEvents, QuarryError } from '@quarry/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { startTestGateway, type TestGateway } from '../testing/start-test-gateway.js';
import {
  cleanAnswerText,
  createAnswerFramer,
  createAnswerText,
  DONE_FRAME,
  formatNumberedFrames,
  formatResponseFrames,
} from './sse.js';

async function* splitIntoChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/**
 * Converts the text of an answer to the text that a client receives. Server-sent events change some characters: see
 * sse.ts.
 */
const toReceivedText = (text: string): string =>
  text.replaceAll('\uFEFF', '').replaceAll(/\r\n?/g, '\n').replace(/^\n+/, '').toWellFormed();

it('the client library restores the text of a streamed answer, wherever frames and network chunks split the text', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  // The texts contain the characters at which faults are most likely: surrogate pairs, line breaks and the end markers
  // of a stream.
  const awkward = fc.array(
    fc.constantFrom('\ud83d', '\udcda', '\r', '\n', '\r\n', '[DONE]', '[ERROR]', ' ', ':', '%', 'a'),
  );
  const pieces = fc.array(
    fc.oneof(
      text,
      awkward.map((parts) => parts.join('')),
    ),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 64 }), async (fragments, size) => {
      const framer = createAnswerFramer();
      const response = { answer: fragments.join('').toWellFormed() };
      const frames = [
        ...fragments.map((fragment) => framer.frame(fragment)),
        framer.end(),
        ...formatResponseFrames(response),
        DONE_FRAME,
      ];
      let answer = '';
      for await (const event of parseAnswerEvents(splitIntoChunks(frames.join(''), size))) {
        if (event.type === 'answer') answer += event.text;
        else expect(event.response).toEqual(response);
      }
      expect(answer).toBe(toReceivedText(fragments.join('')));
    }),
    { numRuns: 500 },
  );
});

it('the client library restores the whole text of a resumed answer, wherever its first stream was interrupted', async () => {
  const awkward = fc.array(fc.constantFrom('\ud83d', '\udcda', '\r', '\n', '\0', '[DONE]', '[ERROR]', ' ', ':', 'a'));
  const pieces = fc.array(
    awkward.map((parts) => parts.join('')),
    { maxLength: 8 },
  );
  const end = 'event: endpoint_response\ndata: {}\n\ndata: [DONE]\n\n';
  const readText = async (frames: string) => {
    let [answer, position] = ['', 0];
    const events = parseAnswerEvents(splitIntoChunks(frames + end, 7), (id) => {
      position = Number(id);
    });
    for await (const event of events) if (event.type === 'answer') answer += event.text;
    return { answer, position };
  };
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(), async (fragments, place) => {
      const text = createAnswerText();
      const sent = [...fragments.map((fragment) => text.add(fragment)), text.end()].map(cleanAnswerText);
      const whole = sent.join('');
      const frames = sent.map((piece, at) => formatNumberedFrames(piece, sent.slice(0, at).join('').length));
      const events = frames.join('').split(/(?<=\n\n)/);
      const first = await readText(events.slice(0, place % (events.length + 1)).join(''));
      const rest = await readText(formatNumberedFrames(whole.slice(first.position), first.position));
      expect(first.answer + rest.answer).toBe(whole);
      expect(whole).toBe(toReceivedText(fragments.join('')).replaceAll('\0', '\ufffd'));
    }),
    { numRuns: 300 },
  );
});

describe('the client library, connected to a gateway', () => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway();
  }, 60_000);
  afterAll(async () => test.close());

  it('the client library creates a datastore, uploads content, asks an agent, streams an answer and deletes the datastore', async () => {
    const { key } = await test.createTenant();
    const quarry = createClient({ baseUrl: `${test.url}/api`, apiKey: key });
    const datastore = await quarry.createDatastore({ name: 'manuals' });
    const content = new Blob(['some text']).stream();
    const file = await quarry.uploadFile(datastore.id, { content, name: 'ä "b".txt', type: 'text/plain' });
    expect(file).toMatchObject({ type: 'file', name: 'ä "b".txt', status: 'pending', datastoreId: datastore.id });
    const { ids } = await quarry.upsertDocuments(datastore.id, [{ text: 'more', name: 'one' }]);
    const { items } = await quarry.listDatasources({ datastoreId: datastore.id });
    expect(items.map(({ id }) => id)).toEqual([...ids, file.id]);

    const agent = await quarry.createAgent({ name: 'helper', datastoreIds: [datastore.id] });
    const answer = await quarry.queryAgent(agent.id, { query: 'Is it?' });
    expect(answer.answer).toBe('Yes.');
    test.query.answer = () =>
      streamEvents([{ type: 'delta', text: 'Ye' }, { type: 'delta', text: 's.' }, buildCompletedEvent('Yes.')]);
    const { conversationId } = answer;
    let streamed = '';
    for await (const event of quarry.streamAgent(agent.id, { query: 'And now?', conversationId })) {
      if (event.type === 'answer') streamed += event.text;
      else expect(event.response).toMatchObject({ answer: 'Yes.', conversationId });
    }
    expect(streamed).toBe('Yes.');

    await quarry.deleteDatastore(datastore.id);
    await expect(quarry.getDatastore(datastore.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it('the client library throws a QuarryError with the status and code of the response if the gateway refuses a request', async () => {
    const quarry = createClient({ baseUrl: `${test.url}/api`, apiKey: 'qk_nobody' });
    await expect(quarry.listAgents()).rejects.toBeInstanceOf(QuarryError);
    await expect(quarry.listAgents()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  });
});
