import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswerFramer, DONE_FRAME, endpointResponseFrames, errorFrame, HEARTBEAT_FRAME } from './sse.js';

/** Text with everything that could break a frame, cut anywhere: also inside line breaks and surrogate pairs. */
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

/** As a client reads it: bytes, in chunks of any size. */
function read(stream: string, chunk = 7): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  const bytes = new TextEncoder().encode(stream);
  for (let start = 0; start < bytes.length; start += chunk) {
    parser.feed(decoder.decode(bytes.subarray(start, start + chunk), { stream: true }));
  }
  return events;
}

function frameAll(all: readonly string[]): string {
  const framer = createAnswerFramer();
  return all.map((fragment) => framer.frame(fragment)).join('') + framer.end();
}

function dataOf(events: readonly EventSourceMessage[], name: string): string {
  return events
    .filter(({ event }) => event === name)
    .map(({ data }) => data)
    .join('');
}

describe('the frames of an answer', () => {
  it('carry any text, however it was cut, but for the kind of its line breaks', () => {
    fc.assert(
      fc.property(fragments, fc.integer({ min: 1, max: 50 }), (all, chunk) => {
        const expected = all
          .join('')
          .replaceAll(/\r\n|\r/g, '\n')
          .toWellFormed();
        expect(dataOf(read(frameAll(all), chunk), 'answer')).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('never look like the end of the stream', () => {
    fc.assert(
      fc.property(fragments, (all) => {
        for (const { data } of read(frameAll(all))) expect(data).not.toMatch(/^\[(DONE|ERROR)\]/);
      }),
    );
    expect(dataOf(read(frameAll(['[DONE]'])), 'answer')).toBe('[DONE]');
  });

  it('keep nothing back that can be said', () => {
    const framer = createAnswerFramer();
    expect(framer.frame('a b')).toBe('event: answer\ndata: a b\n\n');
    expect(framer.frame('two\nlines')).toBe('event: answer\ndata: two\ndata: lines\n\n');
    expect(framer.frame('')).toBe('');
    expect(framer.frame('\r')).toBe('');
    expect(framer.frame('\n')).toBe('event: answer\ndata: \ndata: \n\n');
    expect(framer.end()).toBe('');
  });
});

describe('the frames of the response', () => {
  it('are JSON that any client can put together, also one that undoes percent-encoding first', () => {
    const anything = fc.record({
      answer: fc.oneof(
        piece,
        fc.array(piece).map((all) => all.join('')),
      ),
      rest: fc.jsonValue(),
    });
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 50 }), (response, chunk) => {
        const text = dataOf(read([...endpointResponseFrames(response)].join(''), chunk), 'endpoint_response');
        const plain: unknown = JSON.parse(JSON.stringify(response));
        expect(JSON.parse(text)).toEqual(plain);
        expect(JSON.parse(decodeURIComponent(text))).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it('cut long text into pieces, and no surrogate pair', () => {
    for (const shift of ['', 'x']) {
      const response = { answer: shift + '😀'.repeat(10_000) };
      const frames = [...endpointResponseFrames(response)];
      expect(frames.length).toBeGreaterThan(4);
      for (const frame of frames) expect(frame.isWellFormed()).toBe(true);
      expect(JSON.parse(dataOf(read(frames.join('')), 'endpoint_response'))).toEqual(response);
    }
  });

  it('never look like the end of the stream, wherever they are cut', () => {
    const answers = ['[ERROR]', '[DONE]'].map((end) => end.repeat(3_000));
    for (const answer of answers) {
      for (let shift = 0; shift < 8; shift += 1) {
        const stream = [...endpointResponseFrames({ answer: 'x'.repeat(shift) + answer })].join('');
        for (const { data } of read(stream)) expect(data).not.toMatch(/^\[(DONE|ERROR)\]/);
      }
    }
  });
});

describe('the end of a stream', () => {
  it('is one line of data without an event name', () => {
    expect(read(DONE_FRAME)).toEqual([{ id: undefined, event: undefined, data: '[DONE]' }]);
    fc.assert(
      fc.property(piece, (message) => {
        const [only, ...more] = read(errorFrame('answer_failed', message));
        expect(more).toEqual([]);
        expect(only?.event).toBeUndefined();
        expect(only?.data).toMatch(/^\[ERROR\] answer_failed:/);
      }),
    );
    expect(errorFrame('answer_failed', 'first\r\n second')).toBe('data: [ERROR] answer_failed: first second\n\n');
  });

  it('is not mistaken for a sign of life', () => {
    expect(read(HEARTBEAT_FRAME)).toEqual([]);
  });
});
