import fc from 'fast-check';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, it } from 'vitest';
import {
  createAnswerFramer,
  DONE_FRAME,
  formatErrorFrame,
  formatNumberedFrames,
  formatResponseFrames,
} from '../../../answering/sse.js';
import { percentEncodeFrames } from './percent-encode-frames.js';

function parseEvents(text: string): readonly EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => events.push(event) }).feed(text);
  return events;
}

const toDecoded = ({ data, ...event }: EventSourceMessage): EventSourceMessage => ({
  ...event,
  data: event.event === undefined ? data : decodeURIComponent(data),
});

it('a client that percent-decodes the data of named events receives the original events, whatever text they contain', () => {
  const text = fc.array(
    fc.constantFrom('%', '%2', ' ', ':', '\n', '\r\n', '\0', '😀', '\ud83d', '[DONE]', '[ERROR]', 'é', 'a'),
  );
  fc.assert(
    fc.property(text, fc.boolean(), (parts, isNumbered) => {
      const framer = createAnswerFramer();
      const answer = parts.join('');
      const answered = isNumbered
        ? [formatNumberedFrames(answer.toWellFormed(), 3)]
        : [...parts.map((part) => framer.frame(part)), framer.end()];
      const writes = [...answered, ...formatResponseFrames({ answer: answer.toWellFormed() }), DONE_FRAME];
      const encoded = parseEvents(writes.map(percentEncodeFrames).join(''));
      expect(encoded.map(toDecoded)).toEqual(parseEvents(writes.join('')));
      for (const { event, data } of encoded) if (event !== undefined) expect(data).toMatch(/^[\w.!~*'()%-]*$/);
    }),
    { numRuns: 500 },
  );
});

it('percentEncodeFrames does not change the frames [DONE] and [ERROR], comments and empty text', () => {
  for (const frame of [DONE_FRAME, formatErrorFrame('usage_limit_reached', '100 % used'), ': still here\n\n', '']) {
    expect(percentEncodeFrames(frame)).toBe(frame);
  }
});
