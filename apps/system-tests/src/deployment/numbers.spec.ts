import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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

  it('are told of in docs/operations.md, each of them, and each alert', () => {
    const told = read('docs/operations.md');
    const alerts = [...read('k8s/base/monitoring.yaml').matchAll(/alert: (\w+)/g)].map(([, name]) => String(name));
    expect([...shown, ...alerts].filter((name) => !told.includes(String(name)))).toEqual([]);
  });
});
