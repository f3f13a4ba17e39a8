import { describe, expect, it } from 'vitest';
import { scored } from '../testing/knowledge.js';
import { select } from './selection.js';

function found(
  entries: readonly (readonly [text: string, score: number, document?: string])[],
): Parameters<typeof select>[0] {
  return entries.map(([text, score, document = text]) => ({ item: scored(text, { documentKey: document }), score }));
}

function texts(selected: ReturnType<typeof select>): string[] {
  return selected.map(({ item }) => item.text);
}

describe('selection', () => {
  it('returns the best fragments', () => {
    expect(
      texts(
        select(
          found([
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
    const copies = found([
      ['# Returns\n\nSend it **back** within 30 days.', 0.9],
      ['Returns: send it back within 30 days', 0.8],
      ['RETURNS', 0.7],
      ['Send it back within 30 days, at our cost', 0.6],
      ['urns', 0.5],
    ]);
    expect(texts(select(copies, 5))).toEqual([
      '# Returns\n\nSend it **back** within 30 days.',
      'Send it back within 30 days, at our cost',
      'urns',
    ]);
  });

  it('returns fragments that differ in one word', () => {
    const variants = found([
      ['Red shirt, size M, 20 euros', 0.9],
      ['Red shirt, size L, 20 euros', 0.89],
    ]);
    expect(select(variants, 5)).toHaveLength(2);
  });

  it('reserves places for other documents with nearly as good fragments', () => {
    const crowded = found([
      ['1', 0.9, 'x'],
      ['2', 0.8, 'x'],
      ['3', 0.7, 'x'],
      ['4', 0.6, 'x'],
      ['5', 0.5, 'y'],
      ['6', 0.4, 'z'],
    ]);
    expect(texts(select(crowded, 4))).toEqual(['1', '2', '3', '5']);
  });

  it('reserves no places for documents with much worse fragments', () => {
    const crowded = found([
      ['1', 0.9, 'x'],
      ['2', 0.8, 'x'],
      ['3', 0.7, 'x'],
      ['4', 0.6, 'x'],
      ['5', 0.2, 'y'],
    ]);
    expect(texts(select(crowded, 4))).toEqual(['1', '2', '3', '4']);
  });

  it('fills all places from one document if there is no other', () => {
    const one = found(Array.from({ length: 12 }, (_, at) => [`text${at}`, 1 - at / 20, 'x'] as const));
    expect(texts(select(one, 10))).toEqual(one.slice(0, 10).map(({ item }) => item.text));
  });
});
