import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertRule } from '../manifest.js';
import type { Scenario } from './scenario.js';

export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Suffix for the titles of suites that need promtool: empty, or the reason why they are skipped. */
export const SKIP_NOTE = hasPromtool ? '' : ' (skipped: there is no promtool on PATH)';

/** Returns the errors that promtool reports for the rules; an empty text if promtool accepts the rules. */
export function lintAlertRules(rules: readonly object[]): string {
  return runPromtool(['check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml'], {
    'rules.yaml': wrapInRuleGroup(rules),
  });
}

/**
 * Tests an alert rule with the series of a scenario. Returns promtool's report of the minutes at which the alert fires
 * or is silent unexpectedly; an empty text if there are none.
 */
export function testAlertRule(rule: AlertRule, { series, fires, silent, labels = {} }: Scenario): string {
  const alert = { exp_labels: { ...rule.labels, ...labels }, exp_annotations: rule.annotations };
  const formatExpectedAlert = (minute: number, expected: readonly object[]): object => ({
    eval_time: `${minute}m`,
    alertname: rule.alert,
    exp_alerts: expected,
  });
  const test = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      ...fires.map((minute) => formatExpectedAlert(minute, [alert])),
      ...silent.map((minute) => formatExpectedAlert(minute, [])),
    ],
  };
  const tests = { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: [test] };
  return runPromtool(['test', 'rules', 'tests.yaml'], { 'rules.yaml': wrapInRuleGroup([rule]), 'tests.yaml': tests });
}

function wrapInRuleGroup(rules: readonly object[]): object {
  return { groups: [{ name: 'quarry', rules }] };
}

/**
 * Runs promtool in a temporary folder with the given files.
 *
 * @param files contents keyed by file name, which are written as JSON, because JSON is also YAML
 * @returns the output of promtool if it fails, otherwise an empty text
 */
function runPromtool(parameters: readonly string[], files: Readonly<Record<string, object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-alerts-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
    const { status, stdout, stderr } = spawnSync('promtool', [...parameters], { cwd: folder, encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
