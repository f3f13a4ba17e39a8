import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALERT_RULES, EXPRESSIONS } from './monitoring.js';
import { parseComparisons, parseMetricNames } from './promql.js';
import { READERS, listReadVariables } from './environment-readers.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const readFromRoot = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
const manual = readFromRoot('docs/operations.md');

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'apps/*/src/*.ts', 'libs/*/src/*.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
});
const texts = sources
  .split('\n')
  .filter((path) => path !== '' && !path.endsWith('.spec.ts'))
  .map(readFromRoot);
/** The names of all metrics that the sources declare. */
const declared = new Set(texts.flatMap((text) => [...text.matchAll(/name: '(quarry_\w+)'/g)].map(([, name]) => name)));
/** The bucket bounds of each histogram that the sources declare, keyed by the name of its bucket metric. */
const bounds = new Map(
  texts
    .flatMap((text) => [...text.matchAll(/name: '(quarry_\w+)',[^}]*?buckets: \[([^\]]*)\]/g)])
    .map(([, name = '', list = '']) => [`${name}_bucket`, list.split(',').map(Number)]),
);

describe('the metrics that the deployment uses', () => {
  it.each(Object.entries(EXPRESSIONS))(
    'the expressions in %s read only those metrics of Quarry that a service declares',
    (_file, expressions) => {
      const used = new Set(
        expressions
          .flatMap(parseMetricNames)
          .filter((name) => name.startsWith('quarry_'))
          .map((name) => name.replace(/_(bucket|count|sum)$/, '')),
      );
      expect(used.size).toBeGreaterThan(3);
      expect([...used].filter((name) => !declared.has(name))).toEqual([]);
    },
  );

  it('docs/operations.md documents every metric that a service declares', () => {
    expect([...declared].filter((name) => !manual.includes(String(name)))).toEqual([]);
  });
});

describe('the expressions of the alerts', () => {
  it('no alert contains `== 0`, because the metrics of a service are absent, and not zero, while the service is down', () => {
    expect(ALERT_RULES.length).toBeGreaterThan(5);
    const equalities = ALERT_RULES.flatMap(({ expr }) => parseComparisons(expr)).filter(
      ({ operator }) => operator === '==',
    );
    expect(equalities.filter(({ limit }) => limit === 0)).toEqual([]);
  });

  it('the limit of each alert on a histogram is a bucket bound, because Prometheus interpolates between bounds', () => {
    const compared = ALERT_RULES.flatMap(({ expr }) => parseComparisons(expr)).flatMap(({ metrics, limit }) =>
      metrics.filter((name) => name.endsWith('_bucket')).map((name) => ({ name, limit })),
    );
    expect(compared.length).toBeGreaterThan(1);
    expect(compared.filter(({ name, limit }) => bounds.get(name)?.includes(limit) !== true)).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  it('docs/operations.md describes the meaning of each alert and the response to it, and contains no alert without a rule', () => {
    const documented = [...manual.matchAll(/^\| `(Quarry\w+)` *\|([^|]*)\|([^|]*)\|$/gm)];
    expect(documented.map(([, name]) => name)).toEqual(ALERT_RULES.map(({ alert }) => alert));
    for (const [, , meaning = '', advice = ''] of documented) {
      expect(meaning.trim().length).toBeGreaterThan(15);
      expect(advice.trim().length).toBeGreaterThan(30);
    }
  });

  it.each(Object.entries(READERS))(
    'docs/operations.md contains the name of every variable that %s reads',
    (_service, reader) => {
      const named = [...listReadVariables(reader)].filter((name) => !name.endsWith('_FILE'));
      const models = /^QUARRY_MODEL_(GPT|CLAUDE|GEMINI|DEEPSEEK)_/; // documented as QUARRY_MODEL_<NAME>
      expect(named.filter((name) => !models.test(name) && !manual.includes(`\`${name}\``))).toEqual([]);
    },
  );
});
