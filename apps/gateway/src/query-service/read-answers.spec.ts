import { ValidationError } from '@quarry/validation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvent, readSearch } from './read-answers.js';
import { translateFailure } from './refusal.js';

const FRAGMENT = { fragmentId: 'f', datasourceId: 's', customId: null, source: 'x', page: 2, text: 't', score: 0.5 };

describe('a search response', () => {
  it('is returned unchanged', () => {
    expect(readSearch({ fragments: [FRAGMENT], notes: [] })).toEqual({ fragments: [FRAGMENT], notes: [] });
  });

  it('can omit empty fields and have unknown ones', () => {
    const { fragmentId, datasourceId, text, score } = FRAGMENT;
    const { fragments, notes } = readSearch({ fragments: [{ fragmentId, datasourceId, text, score, colour: 'red' }] });
    expect(fragments).toEqual([{ fragmentId, datasourceId, text, score, customId: null, source: null, page: null }]);
    expect(notes).toEqual([]);
  });

  it.each(['fragmentId', 'datasourceId', 'customId', 'source', 'page', 'text', 'score'])(
    'is refused if %s violates the contract',
    (name) => {
      for (const wrong of [[], {}, true, NaN]) {
        const fragments = [FRAGMENT, { ...FRAGMENT, [name]: wrong }];
        expect(() => readSearch({ fragments, notes: [] })).toThrow(ValidationError);
      }
    },
  );
});

describe('an event of an answer', () => {
  it('can contain any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readEvent(JSON.stringify({ type: 'delta', text }))).toEqual({ type: 'delta', text });
      }),
    );
  });

  it('contains the known notes and the retry delay', () => {
    const usage = { promptTokens: 1, completionTokens: 1 };
    const end = { type: 'completed', answer: 'a', answeredBy: 'model', sources: [], usage };
    const notes = ['answer_truncated', 'something_newer', 'not_embedded'];
    expect(readEvent(JSON.stringify({ ...end, notes }))).toMatchObject({ notes: ['not_embedded', 'answer_truncated'] });
    const failed = { type: 'failed', code: 'model_rate_limited', message: 'm', retryAfterSeconds: 7 };
    expect(readEvent(JSON.stringify(failed))).toEqual(failed);
    expect(translateFailure(failed)).toMatchObject({ code: 'model_rate_limited', headers: { 'Retry-After': '7' } });
  });

  it('is refused without its text, and ignored if its type is unknown', () => {
    expect(() => readEvent('{"type":"delta"}')).toThrow(ValidationError);
    expect(() => readEvent('{"type":"delta","text":7}')).toThrow(ValidationError);
    expect(readEvent('{"type":"newer"}')).toBeUndefined();
  });
});
