import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswerEvents, type AnswerEvent } from './answer-events.js';
import { QuarryError } from './quarry-error.js';
import type { AgentQueryResponse } from './types.js';

const RESPONSE: AgentQueryResponse = {
  answer: '',
  conversationId: 'c',
  visitorId: 'v',
  messageId: 'm',
  sources: [],
  usage: { promptTokens: 1, completionTokens: 2 },
  answeredBy: 'model',
  notes: [],
};

async function* splitIntoChunks(text: string, sizes: readonly number[] = [1_000]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

/**
 * Splits a text into pieces.
 *
 * @param sizes numbers of code points of the pieces, repeated from the start if there are more pieces
 */
function splitText(text: string, sizes: readonly number[]): string[] {
  const points = Array.from(text);
  const pieces: string[] = [];
  for (let turn = 0; points.length > 0; turn += 1)
    pieces.push(points.splice(0, sizes[turn % sizes.length] ?? 1).join(''));
  return pieces;
}

function formatFrame(event: string, data: string, lineEnd: string): string {
  const lines = data.split('\n').map((line) => `data: ${line}${lineEnd}`);
  return `event: ${event}${lineEnd}${lines.join('')}${lineEnd}`;
}

async function readEvents(stream: string, sizes?: readonly number[]): Promise<AnswerEvent[]> {
  const events: AnswerEvent[] = [];
  for await (const event of parseAnswerEvents(splitIntoChunks(stream, sizes))) events.push(event);
  return events;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

describe('parseAnswerEvents', () => {
  it('parseAnswerEvents yields the same answer for every division of the stream into events and chunks, and for every kind of line end', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 }).map((any) => any.toWellFormed().replaceAll('\r', ' '));
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(text, sizes, sizes, lineEnd, async (answer, cuts, chunks, end) => {
        const response = { ...RESPONSE, answer };
        const frames = [
          `: still here${end}${end}`,
          ...splitText(answer, cuts).map((piece) => formatFrame('answer', piece, end)),
          ...splitText(JSON.stringify(response), cuts).map((piece) => formatFrame('endpoint_response', piece, end)),
          `data: [DONE]${end}${end}`,
        ];
        const events = await readEvents(frames.join(''), chunks);
        const texts = events.flatMap((event) => (event.type === 'answer' ? [event.text] : []));
        expect(texts.join('')).toBe(answer);
        expect(events.at(-1)).toEqual({ type: 'response', response });
      }),
      { numRuns: 300 },
    );
  });

  it('parseAnswerEvents reads `[DONE]` in an `answer` event as text of the answer, not as the end marker of the stream', async () => {
    const stream = `event: answer\ndata: [DONE]\n\ndata: [ERROR] a: b\n\n`;
    const events = parseAnswerEvents(splitIntoChunks(stream));
    expect((await events.next()).value).toEqual({ type: 'answer', text: '[DONE]' });
    await expect(events.next()).rejects.toMatchObject({ code: 'a', detail: 'b' });
  });

  it.each([
    ['data: [ERROR] model_unavailable: It is away: sorry.\n\n', 'model_unavailable', 'It is away: sorry.'],
    ['data: [ERROR] Something else\n\n', 'answer_failed', 'Something else'],
    ['data:[ERROR]\n\n', 'answer_failed', ''],
  ])(
    'parseAnswerEvents throws a QuarryError with the code and the detail of the error in the stream %j',
    async (stream, code, detail) => {
      const found = await readEvents(stream).catch((error: unknown) => error);
      expect(found).toBeInstanceOf(QuarryError);
      expect(found).toMatchObject({ status: 200, code, detail });
    },
  );

  it.each(['', 'event: answer\ndata: Ye', 'event: answer\ndata: Yes\n\n', 'data: [DONE]\n'])(
    'parseAnswerEvents throws an error for the stream %j, which has no complete end marker',
    async (stream) => {
      await expect(readEvents(stream)).rejects.toMatchObject({ code: 'stream_interrupted' });
    },
  );

  it('parseAnswerEvents throws an error if the data of the event `endpoint_response` is not JSON', async () => {
    const stream = 'event: endpoint_response\ndata: {"answer"\n\ndata: [DONE]\n\n';
    await expect(readEvents(stream)).rejects.toMatchObject({ code: 'unexpected_answer' });
  });
});
