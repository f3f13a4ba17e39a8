import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { askedBy, READERS } from './environment-readers.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'apps/*/src/*.ts', 'libs/*/src/*.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
});
const shown = new Set(
  sources
    .split('\n')
    .filter((path) => path !== '' && !path.endsWith('.spec.ts'))
    .flatMap((path) => [...read(path).matchAll(/name: '(quarry_\w+)'/g)].map(([, name]) => name)),
);
const usedIn = (path: string): string[] => [
  ...new Set([...read(path).matchAll(/\bquarry_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))),
];

describe('the numbers at /metrics', () => {
  it.each(['k8s/base/dashboard.json', 'k8s/base/monitoring.yaml'])('that %s reads are shown by a service', (path) => {
    const used = usedIn(path);
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('are told of in docs/operations.md', () => {
    const told = read('docs/operations.md');
    expect([...shown].filter((name) => !told.includes(String(name)))).toEqual([]);
  });
});

describe('the alerts', () => {
  it('never wait for a number to be zero, which nobody shows once its service is gone', () => {
    const rules = [...read('k8s/base/monitoring.yaml').matchAll(/expr: >-\n(.*)\n/g)].map(
      ([, expression]) => expression,
    );
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter((expression) => expression?.includes('== 0'))).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  it('says of each alert, and of no other, what it means and what to do', () => {
    const alerts = [...read('k8s/base/monitoring.yaml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    const told = [...read('docs/operations.md').matchAll(/^\| `(Quarry\w+)` *\|([^|]*)\|([^|]*)\|$/gm)];
    expect(told.map(([, name]) => name)).toEqual(alerts);
    for (const [, , meaning = '', advice = ''] of told) {
      expect(meaning.trim().length).toBeGreaterThan(15);
      expect(advice.trim().length).toBeGreaterThan(30);
    }
  });

  it.each(Object.entries(READERS))('names every variable of %s', (_service, reader) => {
    const told = read('docs/operations.md');
    const named = [...askedBy(reader)].filter((name) => !name.endsWith('_FILE'));
    const models = /^QUARRY_MODEL_(GPT|CLAUDE|GEMINI|DEEPSEEK)_/; // told of as QUARRY_MODEL_<NAME>
    expect(named.filter((name) => !models.test(name) && !told.includes(`\`${name}\``))).toEqual([]);
  });
});
