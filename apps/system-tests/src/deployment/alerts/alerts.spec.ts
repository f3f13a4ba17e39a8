import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../manifest.js';
import { JOB_SCENARIOS } from './job-scenarios.js';
import { differences, PROMTOOL, problemsOf, promtoolIsHere } from './promtool.js';
import { REPLICA_SCENARIOS } from './replica-scenarios.js';
import { REQUEST_SCENARIOS } from './request-scenarios.js';
import type { Scenarios } from './scenario.js';

const SCENARIOS: Scenarios = { ...REQUEST_SCENARIOS, ...JOB_SCENARIOS, ...REPLICA_SCENARIOS };

const BASE = fileURLToPath(new URL('../../../../../k8s/base/', import.meta.url));
// Found to be what the operator's models describe by the tests of those models.
const manifests = parseAllDocuments(readFileSync(`${BASE}monitoring.yaml`, 'utf8')).map(
  (document) => document.toJS() as Manifest,
);
const rules = manifests.flatMap(({ spec }) => spec.groups ?? []).flatMap((group) => group.rules);

describe('the alerts', () => {
  it('each have scenarios in which they fire and end, and one in which they do not fire', () => {
    expect(Object.keys(SCENARIOS)).toEqual(rules.map(({ alert }) => alert));
    for (const scenarios of Object.values(SCENARIOS)) {
      expect(
        scenarios.some(
          ({ fires, silent }) => silent.some((minute) => minute > Math.max(0, ...fires)) && fires.length > 0,
        ),
      ).toBe(true);
      expect(scenarios.some(({ fires }) => fires.length === 0)).toBe(true);
    }
  });
});

describe.runIf(promtoolIsHere)(`Prometheus${PROMTOOL}`, () => {
  it('finds nothing wrong with the alerts', () => {
    expect(problemsOf(rules)).toBe('');
  });

  it('finds nothing wrong with what the dashboard asks', () => {
    const asked = [...readFileSync(`${BASE}dashboard.json`, 'utf8').matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '""']) => String(JSON.parse(text)).replaceAll('$__rate_interval', '5m'),
    );
    expect(asked.length).toBeGreaterThan(10);
    expect(problemsOf(asked.map((expr, at) => ({ record: `panel:${at}`, expr })))).toBe('');
  });

  it('tells an alert that behaves otherwise than it should', () => {
    const rule = rules.find(({ alert }) => alert === 'QuarryQueueOld');
    const [scenario] = SCENARIOS['QuarryQueueOld'] ?? [];
    if (rule === undefined || scenario === undefined) throw new Error('QuarryQueueOld has no rule or no scenario');
    expect(differences({ ...rule, expr: rule.expr.replace('3600', '60') }, scenario)).toContain('QuarryQueueOld');
  });

  describe.each(rules)('fires $alert', (rule) => {
    it.each(SCENARIOS[rule.alert] ?? [])('as it should when $title', (scenario) => {
      expect(differences(rule, scenario)).toBe('');
    });
  });
});
