import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './documents.js';
import { proseProblems } from './prose-problems.js';

const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'docs/decisions/*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name !== '');

describe('the prose of the documentation', () => {
  it.each(documents)('%s has short sentences and standard terms', (name) => {
    expect(proseProblems(readFileSync(join(ROOT, name), 'utf8'))).toEqual([]);
  });

  it('would not pass with a long sentence or a private term', () => {
    const long = `${'word '.repeat(26)}ends.`;
    expect(proseProblems(`# Title\n\nThis is short. ${long}\n`)).toEqual([expect.stringMatching(/^27 words/)]);
    expect(proseProblems('- The gateway is told of it.\n')).toEqual([expect.stringContaining('"told"')]);
  });

  it('counts code as one word and skips fenced code', () => {
    expect(proseProblems(`Run \`${'word '.repeat(30)}\` first.\n\n\`\`\`sh\n${'told '.repeat(30)}\n\`\`\`\n`)).toEqual([]);
  });
});
