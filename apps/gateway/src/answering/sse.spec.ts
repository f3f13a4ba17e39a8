import { getLines, getMessages } from '@microsoft/fetch-event-source/lib/cjs/parse.js';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswerFramer, DONE_FRAME, endpointResponseFrames, errorFrame, HEARTBEAT_FRAME } from './sse.js';

/** Text that could break a frame, split anywhere, including inside line breaks and surrogate pairs. */
const awkward = fc.constantFrom(
  '\n',
  '\r',
  '\r\n',
  ' ',
  '%',
  ':',
  'data: ',
  '[DONE]',
  '[ERROR] ',
  '😀',
  '\uD800',
  '\uDC00',
  '\0',
  '\uFEFF',
);
const piece = fc.oneof(awkward, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
const fragments = fc.array(piece, { maxLength: 30 }).chain((pieces) => {
  const text = pieces.join('');
  return fc.array(fc.nat({ max: text.length }), { maxLength: 12 }).map((cuts) =>
    cutAt(
      text,
      cuts.toSorted((a, b) => a - b),
    ),
  );
});

function cutAt(text: string, cuts: readonly number[]): string[] {
  return [...cuts, text.length].map((end, index) => text.slice(cuts[index - 1] ?? 0, end));
}

interface Message {
  readonly event: string | undefined;
  readonly data: string;
}

const bytesOf = (stream: string): Uint8Array => new TextEncoder().encode(stream);

/** Reads the bytes of a stream in chunks, as most clients do. */
function readWithEventSourceParser(stream: string, chunk = 7): Message[] {
  const events: Message[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => events.push({ event, data }) });
  const decoder = new TextDecoder();
  const bytes = bytesOf(stream);
  for (let start = 0; start < bytes.length; start += chunk) {
    parser.feed(decoder.decode(bytes.subarray(start, start + chunk), { stream: true }));
  }
  return events;
}

/** Reads the bytes of a stream in chunks, as pages do that use `fetchEventSource`. */
function readWithFetchEventSource(stream: string, chunk = 7): Message[] {
  const events: Message[] = [];
  const ignore = (): void => undefined;
  const feed = getLines(getMessages(ignore, ignore, ({ event, data }) => events.push({ event, data })));
  const bytes = bytesOf(stream);
  for (let start = 0; start < bytes.length; start += chunk) feed(bytes.slice(start, start + chunk));
  // fetchEventSource reports comments as messages without data, and uses an empty name for events without one.
  return events.flatMap(({ event, data }) => (data === '' ? [] : [{ event: event === '' ? undefined : event, data }]));
}

const READERS = [
  ['eventsource-parser', readWithEventSourceParser],
  ['@microsoft/fetch-event-source', readWithFetchEventSource],
] as const;

/** Returns the text that clients can receive of a text. See sse.ts. */
function receivedText(text: string): string {
  return text
    .replaceAll('\uFEFF', '')
    .replaceAll(/\r\n|\r/g, '\n')
    .replace(/^\n+/, '')
    .toWellFormed();
}

function frameAll(all: readonly string[]): string {
  const framer = createAnswerFramer();
  return all.map((fragment) => framer.frame(fragment)).join('') + framer.end();
}

function dataOf(events: readonly Message[], name: string): string {
  return events
    .filter(({ event }) => event === name)
    .map(({ data }) => data)
    .join('');
}

describe('the frames of an answer', () => {
  it.each(READERS)('transport any text to %s, however it is split', (_, readAs) => {
    fc.assert(
      fc.property(fragments, fc.integer({ min: 1, max: 50 }), (all, chunk) => {
        expect(dataOf(readAs(frameAll(all), chunk), 'answer')).toBe(receivedText(all.join('')));
      }),
      { numRuns: 500 },
    );
  });

  it('are never mistaken for the end of the stream', () => {
    fc.assert(
      fc.property(fragments, (all) => {
        for (const { data } of readWithEventSourceParser(frameAll(all))) expect(data).not.toMatch(/^\[(DONE|ERROR)\]/);
      }),
    );
    expect(dataOf(readWithEventSourceParser(frameAll(['[DONE]'])), 'answer')).toBe('[DONE]');
  });

  it('hold back the last character and the line breaks after it', () => {
    const framer = createAnswerFramer();
    expect(framer.frame('\n\na b')).toBe('event: answer\ndata: a \n\n');
    expect(framer.frame('two\nlines\r')).toBe('event: answer\ndata: btwo\ndata: line\n\n');
    expect(framer.frame('')).toBe('');
    expect(framer.frame('\n')).toBe('');
    expect(framer.frame('\n😀')).toBe('event: answer\ndata: s\ndata: \ndata: \n\n');
    expect(framer.end()).toBe('event: answer\ndata: 😀\n\n');
    expect(framer.end()).toBe('');
  });
});

describe('the frames of the response', () => {
  it('are JSON that any client can join and parse, even one that decodes percent-encoding first', () => {
    const anything = fc.record({
      answer: fc.oneof(
        piece,
        fc.array(piece).map((all) => all.join('')),
      ),
      rest: fc.jsonValue(),
    });
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 50 }), (response, chunk) => {
        const plain: unknown = JSON.parse(JSON.stringify(response));
        for (const [, readAs] of READERS) {
          const text = dataOf(readAs([...endpointResponseFrames(response)].join(''), chunk), 'endpoint_response');
          expect(JSON.parse(text)).toEqual(plain);
          expect(JSON.parse(decodeURIComponent(text))).toEqual(plain);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('split long text into pieces, but no surrogate pair', () => {
    for (const shift of ['', 'x']) {
      const response = { answer: shift + '😀'.repeat(10_000) };
      const frames = [...endpointResponseFrames(response)];
      expect(frames.length).toBeGreaterThan(4);
      for (const frame of frames) expect(frame.isWellFormed()).toBe(true);
      expect(JSON.parse(dataOf(readWithEventSourceParser(frames.join('')), 'endpoint_response'))).toEqual(response);
    }
  });

  it('are never mistaken for the end of the stream, wherever the text is split', () => {
    const answers = ['[ERROR]', '[DONE]'].map((end) => end.repeat(3_000));
    for (const answer of answers) {
      for (let shift = 0; shift < 8; shift += 1) {
        const stream = [...endpointResponseFrames({ answer: 'x'.repeat(shift) + answer })].join('');
        for (const { data } of readWithEventSourceParser(stream)) expect(data).not.toMatch(/^\[(DONE|ERROR)\]/);
      }
    }
  });
});

describe('the end of a stream', () => {
  it('is one line of data without an event name', () => {
    for (const [, readAs] of READERS) expect(readAs(DONE_FRAME)).toEqual([{ event: undefined, data: '[DONE]' }]);
    fc.assert(
      fc.property(piece, (message) => {
        const [only, ...more] = readWithEventSourceParser(errorFrame('answer_failed', message));
        expect(more).toEqual([]);
        expect(only?.event).toBeUndefined();
        expect(only?.data).toMatch(/^\[ERROR\] answer_failed:/);
      }),
    );
    expect(errorFrame('answer_failed', 'first\r\n second')).toBe('data: [ERROR] answer_failed: first second\n\n');
  });

  it('is not confused with a heartbeat', () => {
    for (const [, readAs] of READERS) expect(readAs(HEARTBEAT_FRAME)).toEqual([]);
  });
});
