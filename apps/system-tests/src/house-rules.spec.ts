import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLinter, ROOT, type LintCode } from './create-linter.js';

let lintCode: LintCode;

beforeAll(async () => {
  lintCode = await createLinter();
});

/** Returns the source code of a function with this number of lines. */
function buildFunctionSource(lines: number): string {
  const body = Array.from({ length: lines - 3 }, (_, index) => `  sum += ${index};\n`).join('');
  return `export function add(sum: number): number {\n${body}  return sum;\n}\n`;
}

describe('the style rules', () => {
  const file = 'apps/crawler/src/index.ts';

  it.each([
    ['a default export', 'export default 1;\n', 'Named exports only'],
    ['a re-export of everything', "export * from './index.js';\n", 'Re-export by name'],
    ['the environment outside config and main', "export const key = process.env['KEY'];\n", 'read the environment'],
    ['any', 'export const value: any = 1;\n', 'no-explicit-any'],
    ['a non-null assertion', 'export const first = (list: string[]): string => list[0]!;\n', 'no-non-null-assertion'],
    ['a floating promise', 'Promise.resolve(1);\n', 'no-floating-promises'],
    ['a suppressed compiler error', '// @ts-expect-error because\nexport const x: string = 1;\n', 'ban-ts-comment'],
    [
      'five parameters',
      'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1): number => a + b + c + d + e;\n',
      'max-params',
    ],
    ['a function of 61 lines', buildFunctionSource(61), 'max-lines-per-function'],
    ['a word for which a plainer word exists', 'export const tellings = 1;\n', 'id-denylist'],
    ['a doc comment without a verb', '/** What it is. */\nexport const limit = 1;\n', 'quarry/doc-comments'],
    [
      'a function whose name starts with a preposition',
      'export function asText(): string {\n  return "";\n}\n',
      'quarry/function-names',
    ],
    ['a regular expression with quadratic time', 'export const TEXT = /\\s+$/;\n', 'no-super-linear-move'],
  ])('the style rules refuse %s', async (_what, code, message) => {
    expect(await lintCode(file, code)).toContainEqual(expect.stringContaining(message));
  });

  it('the style rules accept a function of 60 lines', async () => {
    expect(await lintCode(file, buildFunctionSource(60))).toEqual([]);
  });
});

describe('the style rules for tests', () => {
  const file = 'apps/crawler/src/config.spec.ts';

  it.each([
    ['a mocked module', "vi.mock('./config.js');\n", 'No mocks'],
    ['a mocked function', 'export const fetch = vi.fn();\n', 'No mocks'],
    ['a spy', "vi.spyOn(console, 'warn');\n", 'No mocks'],
    ['a sleep', 'setTimeout(() => undefined, 1000);\n', 'No sleeping'],
    [
      'an empty test in the place of a skipped one',
      "it.skipIf(process.argv.length > 0)('x: skipped', () => undefined);\n",
      'A test without a body always passes',
    ],
    ['a title without a subject', "it('returns undefined', () => undefined);\n", 'quarry/test-titles'],
    [
      'a title of several tests without a subject',
      "it.each([1])('returns %s', () => undefined);\n",
      'quarry/test-titles',
    ],
  ])('the style rules for tests refuse %s', async (_what, code, message) => {
    const rules = await lintCode(file, `import { it, vi } from 'vitest';\n${code}`);
    expect(rules).toContainEqual(expect.stringContaining(message));
  });

  it('the style rules for tests accept a skipped suite whose title contains the reason', async () => {
    const suite =
      "describe.skipIf(process.argv.length > 0)('x (skipped: y)', () => {\n  it('z', () => undefined);\n});\n";
    expect(await lintCode(file, `import { describe, it } from 'vitest';\n${suite}`)).toEqual([]);
  });
});

describe('the names of files and folders', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

  it('no file or folder has a vague name', () => {
    const vague = /(^|\/)(utils?|helpers?|common|shared|core|managers?|misc)(\/|\.\w+$)/;
    expect(files.filter((file) => vague.test(file))).toEqual([]);
  });

  it('no two files have the same name, except for names with one meaning in all packages', () => {
    expect(findDuplicateFileNames(files)).toEqual([]);
  });

  it('findDuplicateFileNames reports files with the same name, except for names with one meaning in all packages', () => {
    const same = ['apps/query/src/models/settle.ts', 'libs/queue/src/settle.ts'];
    expect(findDuplicateFileNames([...same, 'apps/query/src/main.ts', 'apps/gateway/src/main.ts'])).toEqual([
      same.join(' '),
    ]);
  });
});

/**
 * Matches paths of files whose names several packages may use, because they have the same meaning in every package,
 * such as `config.ts` and `main.ts`.
 */
const MEANINGS =
  /\/(config|consumers|context|count-languages|dependencies|filters|index|main|messages|run-protocol|search|server|settings)(\.spec)?\.ts$/;
/**
 * Matches paths in folders whose files are named after resources, jobs or test doubles. The same file names may occur
 * in other folders.
 */
const FOLDERS_BY_RESOURCE = /\/(tables|operations|openapi|contracts\/src\/(http|queues)|testing|fixtures)\//;

/**
 * Returns the groups of files with the same name, each as one line, without the files that match `MEANINGS` or
 * `FOLDERS_BY_RESOURCE`.
 */
function findDuplicateFileNames(files: readonly string[]): readonly string[] {
  const named = files.filter(
    (file) => /^(apps|libs)\/.*\.ts$/.test(file) && !MEANINGS.test(file) && !FOLDERS_BY_RESOURCE.test(file),
  );
  return [...Map.groupBy(named, (file) => basename(file)).values()]
    .filter(({ length }) => length > 1)
    .map((same) => same.join(' '));
}
