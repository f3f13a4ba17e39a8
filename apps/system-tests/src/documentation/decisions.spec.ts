import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './read-documents.js';

const FOLDER = join(ROOT, 'docs', 'decisions');
const MAX_LINES = 75;
const SECTIONS = ['Date', 'Context', 'Decision', 'Consequences', 'Alternatives considered'];

const names = readdirSync(FOLDER).sort();

/** Returns the deviations of a decision record from the form that CONTRIBUTING.md defines. */
function findFormProblems(name: string, text: string): readonly string[] {
  const lines = text.trimEnd().split('\n');
  const sections = [...text.matchAll(/^\*\*([A-Z][a-z ]+)\.\*\*/gm)].map(([, section]) => section);
  const [, number] = /^(\d{4})-[a-z0-9-]+\.md$/.exec(name) ?? [];
  return [
    ...(number === undefined ? ['its file name does not have the form 0000-some-words.md'] : []),
    ...(lines[0]?.startsWith(`# ${Number(number)}. `) === true
      ? []
      : [`its title does not begin with the number of its file name`]),
    ...(/^\*\*Date\.\*\* \d{4}-\d\d-\d\d\. \*\*Status\.\*\* (Accepted|Superseded by \[\d+\]|Proposed)/m.test(text)
      ? []
      : ['it has no line "**Date.** 2026-11-22. **Status.** Accepted."']),
    ...(sections.filter((section) => SECTIONS.includes(section ?? '')).join() === SECTIONS.join()
      ? []
      : [`its sections are ${sections.join(', ')}, expected ${SECTIONS.join(', ')}`]),
    ...(lines.length > MAX_LINES ? [`it has ${lines.length} lines, expected at most ${MAX_LINES}`] : []),
  ];
}

describe('the decision records', () => {
  it.each(names)('%s has the form of a decision record', (name) => {
    expect(findFormProblems(name, readFileSync(join(FOLDER, name), 'utf8'))).toEqual([]);
  });

  it('no two decision records have the same number', () => {
    const numbers = names.map((name) => name.slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it('findFormProblems reports a decision record with a missing status, a missing section or a wrong number', () => {
    const record = readFileSync(join(FOLDER, names[0] ?? ''), 'utf8');
    expect(findFormProblems('0001-x.md', record.replace('**Status.**', ''))).toHaveLength(1);
    expect(findFormProblems('0001-x.md', record.replace('**Context.**', ''))).toHaveLength(1);
    expect(findFormProblems('0002-x.md', record)).toEqual([
      'its title does not begin with the number of its file name',
    ]);
  });
});
