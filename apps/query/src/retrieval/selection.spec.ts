import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../testing/knowledge.js';
import { selectResults } from './selection.js';

function createFusedFragments(
  entries: readonly (readonly [text: string, score: number, document?: string])[],
): Parameters<typeof selectResults>[0] {
  return entries.map(([text, score, document = text]) => ({
    item: createScoredFragment(text, { documentKey: document }),
    score,
  }));
}

function listTexts(selected: ReturnType<typeof selectResults>): string[] {
  return selected.map(({ item }) => item.text);
}

describe('selectResults', () => {
  it('returns the fragments with the highest scores', () => {
    expect(
      listTexts(
        selectResults(
          createFusedFragments([
            ['a', 0.9],
            ['b', 0.8],
            ['c', 0.7],
          ]),
          2,
        ),
      ),
    ).toEqual(['a', 'b']);
  });

  it('skips a fragment whose words a better fragment contains', () => {
    const copies = createFusedFragments([
      ['# Returns\n\nSend it **back** within 30 days.', 0.9],
      ['Returns: send it back within 30 days', 0.8],
      ['RETURNS', 0.7],
      ['Send it back within 30 days, at our cost', 0.6],
      ['urns', 0.5],
    ]);
    expect(listTexts(selectResults(copies, 5))).toEqual([
      '# Returns\n\nSend it **back** within 30 days.',
      'Send it back within 30 days, at our cost',
      'urns',
    ]);
  });

  it('returns both of two fragments that differ in one word', () => {
    const variants = createFusedFragments([
      ['Red shirt, size M, 20 euros', 0.9],
      ['Red shirt, size L, 20 euros', 0.89],
    ]);
    expect(selectResults(variants, 5)).toHaveLength(2);
  });

  it('limits a document to half of the results if other documents have similar scores', () => {
    const crowded = createFusedFragments([
      ['1', 0.9, 'x'],
      ['2', 0.8, 'x'],
      ['3', 0.7, 'x'],
      ['4', 0.6, 'x'],
      ['5', 0.5, 'y'],
      ['6', 0.4, 'z'],
    ]);
    expect(listTexts(selectResults(crowded, 4))).toEqual(['1', '2', '3', '5']);
  });

  it('does not limit a document if other documents have much lower scores', () => {
    const crowded = createFusedFragments([
      ['1', 0.9, 'x'],
      ['2', 0.8, 'x'],
      ['3', 0.7, 'x'],
      ['4', 0.6, 'x'],
      ['5', 0.2, 'y'],
    ]);
    expect(listTexts(selectResults(crowded, 4))).toEqual(['1', '2', '3', '4']);
  });

  it('returns only fragments of one document if there is no other document', () => {
    const one = createFusedFragments(Array.from({ length: 12 }, (_, at) => [`text${at}`, 1 - at / 20, 'x'] as const));
    expect(listTexts(selectResults(one, 10))).toEqual(one.slice(0, 10).map(({ item }) => item.text));
  });
});
