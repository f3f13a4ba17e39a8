import { ValidationError } from '@quarry/validation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvent, readSearch } from './answers.js';
import { failureOf } from './refusal.js';

const FRAGMENT = { fragmentId: 'f', datasourceId: 's', customId: null, source: 'x', page: 2, text: 't', score: 0.5 };

describe('what a search found', () => {
  it('is read as it is sent', () => {
    expect(readSearch({ fragments: [FRAGMENT], notes: [] })).toEqual({ fragments: [FRAGMENT], notes: [] });
  });

  it('may leave out what is null or empty, and have more than is known', () => {
    const { fragmentId, datasourceId, text, score } = FRAGMENT;
    const { fragments, notes } = readSearch({ fragments: [{ fragmentId, datasourceId, text, score, colour: 'red' }] });
    expect(fragments).toEqual([{ fragmentId, datasourceId, text, score, customId: null, source: null, page: null }]);
    expect(notes).toEqual([]);
  });

  it.each(['fragmentId', 'datasourceId', 'customId', 'source', 'page', 'text', 'score'])(
    'is refused where %s is not what the contract says',
    (name) => {
      for (const wrong of [[], {}, true, NaN]) {
        const fragments = [FRAGMENT, { ...FRAGMENT, [name]: wrong }];
        expect(() => readSearch({ fragments, notes: [] })).toThrow(ValidationError);
      }
    },
  );
});

describe('an event of an answer', () => {
  it('is any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readEvent(JSON.stringify({ type: 'delta', text }))).toEqual({ type: 'delta', text });
      }),
    );
  });

  it('reports the notes that are known and the time to retry', () => {
    const usage = { promptTokens: 1, completionTokens: 1 };
    const end = { type: 'completed', answer: 'a', answeredBy: 'model', sources: [], usage };
    const notes = ['answer_truncated', 'something_newer', 'not_embedded'];
    expect(readEvent(JSON.stringify({ ...end, notes }))).toMatchObject({ notes: ['not_embedded', 'answer_truncated'] });
    const failed = { type: 'failed', code: 'model_rate_limited', message: 'm', retryAfterSeconds: 7 };
    expect(readEvent(JSON.stringify(failed))).toEqual(failed);
    expect(failureOf(failed)).toMatchObject({ code: 'model_rate_limited', headers: { 'Retry-After': '7' } });
  });

  it('is refused without its text, and nothing where it is not known', () => {
    expect(() => readEvent('{"type":"delta"}')).toThrow(ValidationError);
    expect(() => readEvent('{"type":"delta","text":7}')).toThrow(ValidationError);
    expect(readEvent('{"type":"newer"}')).toBeUndefined();
  });
});
