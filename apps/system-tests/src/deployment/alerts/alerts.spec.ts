import { describe, expect, it } from 'vitest';
import { ALERT_RULES, EXPRESSIONS } from '../monitoring.js';
import { JOB_SCENARIOS } from './job-scenarios.js';
import { testAlertRule, hasPromtool, lintAlertRules, SKIP_NOTE } from './promtool.js';
import { REPLICA_SCENARIOS } from './replica-scenarios.js';
import { REQUEST_SCENARIOS } from './request-scenarios.js';
import type { Scenarios } from './scenario.js';

const SCENARIOS: Scenarios = { ...REQUEST_SCENARIOS, ...JOB_SCENARIOS, ...REPLICA_SCENARIOS };

describe('the Prometheus alerts', () => {
  it('each alert has a scenario in which it fires and resolves, and one in which it does not fire', () => {
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
  it('Prometheus accepts the alert rules', () => {
    expect(lintAlertRules(ALERT_RULES)).toBe('');
  });

  it('Prometheus accepts the expressions of the dashboard', () => {
    const expressions = EXPRESSIONS['dashboard.json'];
    expect(expressions.length).toBeGreaterThan(10);
    expect(lintAlertRules(expressions.map((expr, index) => ({ record: `panel:${index}`, expr })))).toBe('');
  });

  it('promtool reports an alert that fires at other minutes than its scenario expects', () => {
    const rule = ALERT_RULES.find(({ alert }) => alert === 'QuarryQueueOld');
    const [scenario] = SCENARIOS['QuarryQueueOld'] ?? [];
    if (rule === undefined || scenario === undefined)
      throw new Error('expected a rule and a scenario of the alert QuarryQueueOld, found that one is missing');
    expect(testAlertRule({ ...rule, expr: rule.expr.replace('3600', '60') }, scenario)).toContain('QuarryQueueOld');
  });

  describe.each(ALERT_RULES)('the alert $alert', (rule) => {
    it.each(SCENARIOS[rule.alert] ?? [])(
      `the alert ${rule.alert} fires only at the expected minutes when $title`,
      (scenario) => {
        expect(testAlertRule(rule, scenario)).toBe('');
      },
    );
  });
});
