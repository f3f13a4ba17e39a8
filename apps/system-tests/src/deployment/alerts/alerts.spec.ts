import { describe, expect, it } from 'vitest';
import { ALERT_RULES, EXPRESSIONS } from '../monitoring.js';
import { JOB_SCENARIOS } from './job-scenarios.js';
import { differencesFrom, hasPromtool, problemsOf, SKIP_NOTE } from './promtool.js';
import { REPLICA_SCENARIOS } from './replica-scenarios.js';
import { REQUEST_SCENARIOS } from './request-scenarios.js';
import type { Scenarios } from './scenario.js';

const SCENARIOS: Scenarios = { ...REQUEST_SCENARIOS, ...JOB_SCENARIOS, ...REPLICA_SCENARIOS };

describe('the alerts', () => {
  it('have a scenario in which they fire and resolve, and one in which they do not fire', () => {
    expect(Object.keys(SCENARIOS)).toEqual(ALERT_RULES.map(({ alert }) => alert));
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

describe.runIf(hasPromtool)(`Prometheus${SKIP_NOTE}`, () => {
  it('accepts the alerts', () => {
    expect(problemsOf(ALERT_RULES)).toBe('');
  });

  it('accepts the expressions of the dashboard', () => {
    const expressions = EXPRESSIONS['dashboard.json'];
    expect(expressions.length).toBeGreaterThan(10);
    expect(problemsOf(expressions.map((expr, index) => ({ record: `panel:${index}`, expr })))).toBe('');
  });

  it('reports an alert that does not match its scenario', () => {
    const rule = ALERT_RULES.find(({ alert }) => alert === 'QuarryQueueOld');
    const [scenario] = SCENARIOS['QuarryQueueOld'] ?? [];
    if (rule === undefined || scenario === undefined) throw new Error('QuarryQueueOld has no rule or no scenario');
    expect(differencesFrom({ ...rule, expr: rule.expr.replace('3600', '60') }, scenario)).toContain('QuarryQueueOld');
  });

  describe.each(ALERT_RULES)('evaluates $alert', (rule) => {
    it.each(SCENARIOS[rule.alert] ?? [])('as expected when $title', (scenario) => {
      expect(differencesFrom(rule, scenario)).toBe('');
    });
  });
});
