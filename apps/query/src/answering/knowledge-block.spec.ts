import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../testing/knowledge.js';
import { buildKnowledgeBlock } from './knowledge-block.js';
import { estimateTokens } from './tokens.js';

describe('buildKnowledgeBlock', () => {
  it('buildKnowledgeBlock numbers the sources, and includes the title and place of each one', () => {
    const { text } = buildKnowledgeBlock(
      [
        createScoredFragment('Two years.', { context: 'Terms > Warranty', page: 12 }),
        createScoredFragment('20 €', { context: 'Prices', location: 'sheet Prices, rows 40–80' }),
        createScoredFragment('No title.'),
      ],
      1_000,
    );
    expect(text).toBe(
      [
        '<knowledge>',
        '<source id="1" title="Terms > Warranty" page="12">\nTwo years.\n</source>',
        '<source id="2" title="Prices" place="sheet Prices, rows 40–80">\n20 €\n</source>',
        '<source id="3">\nNo title.\n</source>',
        '</knowledge>',
      ].join('\n'),
    );
  });

  it('buildKnowledgeBlock escapes texts, titles and places that could close the tag `<knowledge>` or add a source', () => {
    const hostile = fc
      .array(fc.constantFrom('<', '/', 'knowledge', 'source', ' ', '\n', '>', '"', 'SOURCE', ' id="9"', 'x', '\t'), {
        maxLength: 20,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, hostile, hostile, (text, context, location) => {
        const block = buildKnowledgeBlock(
          [createScoredFragment(text, { context, location }), createScoredFragment('second')],
          10_000,
        ).text;
        expect(block.match(/<\s*knowledge\b/gi)).toHaveLength(1);
        expect(block.match(/<\s*\/\s*knowledge\b/gi)).toHaveLength(1);
        expect(block.match(/<\s*source\b/gi)).toHaveLength(2);
        expect(block.match(/<\s*\/\s*source\b/gi)).toHaveLength(2);
        expect(block.split('\n')[1]).toMatch(/^<source id="1"( title="[^"\n]*")?( place="[^"\n]*")?>$/);
      }),
    );
  });

  it('buildKnowledgeBlock includes sources up to the token budget, and truncates the last included source to fit the budget', () => {
    const long = 'word '.repeat(199); // 200 tokens
    const fragments = [
      createScoredFragment(`1 ${long}`),
      createScoredFragment(`2 ${long}`),
      createScoredFragment(`3 ${long}`),
    ];
    const { text, sources } = buildKnowledgeBlock(fragments, 400);
    expect(sources.map(({ text: it }) => it[0])).toEqual(['1', '2']);
    expect(text.length).toBeGreaterThan(1_000);
    expect(estimateTokens(text)).toBeLessThan(400 + 30);
  });

  it('buildKnowledgeBlock includes at least a part of the first source, however small the budget is', () => {
    const { sources, text } = buildKnowledgeBlock(
      [createScoredFragment('long '.repeat(500)), createScoredFragment('b')],
      0,
    );
    expect(sources).toHaveLength(1);
    expect(text).toContain('long long');
  });
});
