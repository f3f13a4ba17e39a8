import { describe, expect, it } from 'vitest';
import { DOCUMENTS, listFiles, readDocument } from './read-documents.js';
import { findProseProblems } from './prose-problems.js';

const documents = [...DOCUMENTS, ...listFiles('docs/decisions/*.md', 'examples/*.md', 'bench/*.md', '.github/*.md')];

describe('the prose of the documentation', () => {
  it.each(documents)('%s has short sentences and standard terms', (name) => {
    expect(findProseProblems(readDocument(name))).toEqual([]);
  });

  it('findProseProblems reports sentences of more than 25 words, and words that documents must not contain', () => {
    const long = `${'word '.repeat(26)}ends.`;
    expect(findProseProblems(`# Title\n\nThis is short. ${long}\n`)).toEqual([
      expect.stringMatching(/^expected at most 25 words, found 27: /),
    ]);
    expect(findProseProblems('- The gateway is told of it.\n')).toEqual([expect.stringContaining('"told"')]);
  });

  it('findProseProblems counts inline code as one word, and skips fenced code', () => {
    expect(
      findProseProblems(`Run \`${'word '.repeat(30)}\` first.\n\n\`\`\`sh\n${'told '.repeat(30)}\n\`\`\`\n`),
    ).toEqual([]);
  });
});
