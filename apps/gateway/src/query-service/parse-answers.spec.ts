import { ValidationError } from '@quarry/validation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswerEvent, parseSearchResponse, readLines } from './parse-answers.js';
import { translateFailedEvent } from './refusal.js';

const RECTANGLES = [{ page: 2, x: 0, y: 0.5, width: 1, height: 0.01 }];
const FRAGMENT = {
  rectangles: RECTANGLES,
  fragmentId: 'f',
  datasourceId: 's',
  documentKey: 'd',
  customId: null,
  source: 'x',
  page: 2,
  text: 't',
  score: 0.5,
};

describe('a search response', () => {
  it('parseSearchResponse returns a valid search response unchanged', () => {
    expect(parseSearchResponse({ fragments: [FRAGMENT], notes: [] })).toEqual({ fragments: [FRAGMENT], notes: [] });
  });

  it('parseSearchResponse accepts a search response with absent optional fields and with unknown fields', () => {
    const { fragmentId, datasourceId, text, score } = FRAGMENT;
    const { fragments, notes } = parseSearchResponse({
      fragments: [{ fragmentId, datasourceId, text, score, colour: 'red' }],
    });
    expect(fragments).toEqual([
      {
        ...{ fragmentId, datasourceId, text, score },
        ...{ documentKey: null, customId: null, source: null, page: null, rectangles: [] },
      },
    ]);
    expect(notes).toEqual([]);
  });

  it.each([
    {},
    true,
    [null],
    [{}],
    [{ page: 1.5, x: 0, y: 0, width: 1, height: 1 }],
    [{ page: 1, x: 0, y: 0, width: 1 }],
  ])(
    'parseSearchResponse refuses a search response with a fragment whose field `rectangles` has the invalid value %j',
    (rectangles) => {
      const fragments = [{ ...FRAGMENT, rectangles }];
      expect(() => parseSearchResponse({ fragments, notes: [] })).toThrow(ValidationError);
    },
  );

  it.each(['fragmentId', 'datasourceId', 'customId', 'source', 'page', 'text', 'score'])(
    'parseSearchResponse refuses a search response with a fragment whose field %s has a value of a wrong type',
    (name) => {
      for (const wrong of [[], {}, true, NaN]) {
        const fragments = [FRAGMENT, { ...FRAGMENT, [name]: wrong }];
        expect(() => parseSearchResponse({ fragments, notes: [] })).toThrow(ValidationError);
      }
    },
  );
});

describe('the explanation of a search', () => {
  const SCORES = {
    fragment_id: 'f',
    document_key: 'd',
    lexical: null,
    dense: null,
    fused: { score: 0.5, rank: 1 },
    reranked: null,
  };
  const EXPLANATION = {
    query: { text: 'q', terms: ['q'], languages: ['en'] },
    lists: [{ kind: 'dense', text: 'q', weight: 1, found: 1, ms: 1 }],
    stages: [{ stage: 'fuse', ms: 0.1 }],
    results: [SCORES],
    dropped: [{ fragment: FRAGMENT, scores: SCORES, reason: 'duplicate', duplicateOf: 'g' }],
    droppedCounts: [{ reason: 'duplicate', count: 1 }],
  };
  const parseWith = (explanation: unknown): unknown =>
    parseSearchResponse({ fragments: [FRAGMENT], notes: [], explanation }).explanation;

  it('parseSearchResponse returns the valid explanation of a search unchanged', () => {
    expect(parseWith(EXPLANATION)).toEqual(EXPLANATION);
  });

  it('parseSearchResponse refuses a search response if a field of its explanation has a value of a wrong type', () => {
    for (const name of ['query', 'lists', 'stages', 'results', 'dropped', 'droppedCounts'])
      expect(() => parseWith({ ...EXPLANATION, [name]: [7] })).toThrow(ValidationError);
  });
});

describe('an event of an answer', () => {
  it('parseAnswerEvent parses a `delta` event with any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseAnswerEvent(JSON.stringify({ type: 'delta', text }))).toEqual({ type: 'delta', text });
      }),
    );
  });

  it('parseAnswerEvent parses the field `notes` of a `completed` event, and `retryAfterSeconds` of a `failed` event', () => {
    const usage = { promptTokens: 1, completionTokens: 1 };
    const end = { type: 'completed', answer: 'a', answeredBy: 'model', sources: [], usage };
    const notes = ['answer_truncated', 'something_newer', 'not_embedded'];
    expect(parseAnswerEvent(JSON.stringify({ ...end, notes }))).toMatchObject({
      notes: ['not_embedded', 'answer_truncated'],
    });
    const failed = { type: 'failed', code: 'model_rate_limited', message: 'm', retryAfterSeconds: 7 };
    expect(parseAnswerEvent(JSON.stringify(failed))).toEqual(failed);
    expect(translateFailedEvent(failed)).toMatchObject({ code: 'model_rate_limited', headers: { 'Retry-After': '7' } });
  });

  it('parseAnswerEvent refuses a `delta` event without a text, and returns undefined for an event of an unknown type', () => {
    expect(() => parseAnswerEvent('{"type":"delta"}')).toThrow(ValidationError);
    expect(() => parseAnswerEvent('{"type":"delta","text":7}')).toThrow(ValidationError);
    expect(parseAnswerEvent('{"type":"newer"}')).toBeUndefined();
  });
});

async function* splitIntoChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

it('readLines returns the same lines however the bytes are split into chunks', async () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), fc.boolean(), async (lines, size, isEnded) => {
      const text = lines.join('\n') + (isEnded ? '\n' : '');
      const found: string[] = [];
      for await (const each of readLines(splitIntoChunks(new TextEncoder().encode(text), size), 1e6)) found.push(each);
      expect(found).toEqual(lines);
    }),
  );
});

it('readLines refuses a line that is longer than the maximum', async () => {
  const read = async (text: string, chunkSize = 5): Promise<readonly string[]> => {
    const lines: string[] = [];
    const chunks = splitIntoChunks(new TextEncoder().encode(text), chunkSize);
    for await (const line of readLines(chunks, 9)) lines.push(line);
    return lines;
  };
  expect(await read('123456789\n'.repeat(5))).toHaveLength(5);
  const message = 'expected a line of at most 9 characters, found a longer one';
  await expect(read('1234567890123')).rejects.toThrow(message);
  await expect(read('1\n1234567890\n', 100)).rejects.toThrow(message);
});
