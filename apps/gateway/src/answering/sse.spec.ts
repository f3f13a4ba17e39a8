import { getLines, getMessages } from '@microsoft/fetch-event-source/lib/cjs/parse.js';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswerFramer, DONE_FRAME, formatResponseFrames, formatErrorFrame, HEARTBEAT_FRAME } from './sse.js';

/** Generates text that could break a frame of server-sent events, such as line breaks and half surrogate pairs. */
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
    splitAt(
      text,
      cuts.toSorted((a, b) => a - b),
    ),
  );
});

function splitAt(text: string, cuts: readonly number[]): string[] {
  return [...cuts, text.length].map((end, index) => text.slice(cuts[index - 1] ?? 0, end));
}

interface Message {
  readonly event: string | undefined;
  readonly data: string;
}

const encodeText = (stream: string): Uint8Array => new TextEncoder().encode(stream);

/** Parses a stream with `eventsource-parser`, in network chunks of `chunk` bytes. */
function readWithEventSourceParser(stream: string, chunk = 7): Message[] {
  const events: Message[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => events.push({ event, data }) });
  const decoder = new TextDecoder();
  const bytes = encodeText(stream);
  for (let start = 0; start < bytes.length; start += chunk) {
    parser.feed(decoder.decode(bytes.subarray(start, start + chunk), { stream: true }));
  }
  return events;
}

/** Parses a stream with the parser of `fetchEventSource`, in network chunks of `chunk` bytes. */
function readWithFetchEventSource(stream: string, chunk = 7): Message[] {
  const events: Message[] = [];
  const doNothing = (): void => undefined;
  const feed = getLines(getMessages(doNothing, doNothing, ({ event, data }) => events.push({ event, data })));
  const bytes = encodeText(stream);
  for (let start = 0; start < bytes.length; start += chunk) feed(bytes.slice(start, start + chunk));
  // fetchEventSource reports comments as messages without data, and uses an empty name for events without one.
  return events.flatMap(({ event, data }) => (data === '' ? [] : [{ event: event === '' ? undefined : event, data }]));
}

const READERS = [
  ['eventsource-parser', readWithEventSourceParser],
  ['@microsoft/fetch-event-source', readWithFetchEventSource],
] as const;

/**
 * Converts the text of an answer to the text that clients receive. Server-sent events change some characters: see
 * sse.ts.
 */
function toReceivedText(text: string): string {
  return text
    .replaceAll('\uFEFF', '')
    .replaceAll(/\r\n|\r/g, '\n')
    .replace(/^\n+/, '')
    .toWellFormed();
}

function formatFrames(all: readonly string[]): string {
  const framer = createAnswerFramer();
  return all.map((fragment) => framer.frame(fragment)).join('') + framer.end();
}

function joinData(events: readonly Message[], name: string): string {
  return events
    .filter(({ event }) => event === name)
    .map(({ data }) => data)
    .join('');
}

describe('the server-sent events of an answer', () => {
  it.each(READERS)(
    '%s restores any text from the frames of an answer, however the text is split into pieces',
    (_, readAs) => {
      fc.assert(
        fc.property(fragments, fc.integer({ min: 1, max: 50 }), (all, chunk) => {
          expect(joinData(readAs(formatFrames(all), chunk), 'answer')).toBe(toReceivedText(all.join('')));
        }),
        { numRuns: 500 },
      );
    },
  );

  it('no frame of an answer begins with [DONE] or [ERROR], which clients read as the end of the stream', () => {
    fc.assert(
      fc.property(fragments, (all) => {
        for (const { data } of readWithEventSourceParser(formatFrames(all)))
          expect(data).not.toMatch(/^\[(DONE|ERROR)\]/);
      }),
    );
    expect(joinData(readWithEventSourceParser(formatFrames(['[DONE]'])), 'answer')).toBe('[DONE]');
  });

  it('the framer of an answer holds back the last character of a text, and the line breaks after it, until more text follows or the answer ends', () => {
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

describe('the server-sent events of a response', () => {
  it('clients that join the frames of a response get valid JSON, including clients that apply decodeURIComponent before they parse the JSON', () => {
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
          const text = joinData(readAs([...formatResponseFrames(response)].join(''), chunk), 'endpoint_response');
          expect(JSON.parse(text)).toEqual(plain);
          expect(JSON.parse(decodeURIComponent(text))).toEqual(plain);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a long response is split into several frames, and never inside a surrogate pair', () => {
    for (const shift of ['', 'x']) {
      const response = { answer: shift + '😀'.repeat(10_000) };
      const frames = [...formatResponseFrames(response)];
      expect(frames.length).toBeGreaterThan(4);
      for (const frame of frames) expect(frame.isWellFormed()).toBe(true);
      expect(JSON.parse(joinData(readWithEventSourceParser(frames.join('')), 'endpoint_response'))).toEqual(response);
    }
  });

  it('wherever the JSON of a response is split, no frame begins with [DONE] or [ERROR], which clients read as the end of the stream', () => {
    const answers = ['[ERROR]', '[DONE]'].map((end) => end.repeat(3_000));
    for (const answer of answers) {
      for (let shift = 0; shift < 8; shift += 1) {
        const stream = [...formatResponseFrames({ answer: 'x'.repeat(shift) + answer })].join('');
        for (const { data } of readWithEventSourceParser(stream)) expect(data).not.toMatch(/^\[(DONE|ERROR)\]/);
      }
    }
  });
});

describe('the last server-sent event of an answer', () => {
  it('the last frame of a stream is one line of data without an event name', () => {
    for (const [, readAs] of READERS) expect(readAs(DONE_FRAME)).toEqual([{ event: undefined, data: '[DONE]' }]);
    fc.assert(
      fc.property(piece, (message) => {
        const [only, ...more] = readWithEventSourceParser(formatErrorFrame('answer_failed', message));
        expect(more).toEqual([]);
        expect(only?.event).toBeUndefined();
        expect(only?.data).toMatch(/^\[ERROR\] answer_failed:/);
      }),
    );
    expect(formatErrorFrame('answer_failed', 'first\r\n second')).toBe('data: [ERROR] answer_failed: first second\n\n');
  });

  it('the parsers of clients ignore the frame of a heartbeat', () => {
    for (const [, readAs] of READERS) expect(readAs(HEARTBEAT_FRAME)).toEqual([]);
  });
});
