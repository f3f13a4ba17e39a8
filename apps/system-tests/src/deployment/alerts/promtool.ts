import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertRule } from '../manifest.js';
import type { Scenario } from './scenario.js';

export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** The suffix for titles of suites that are skipped without promtool. */
export const SKIP_NOTE = hasPromtool ? '' : ' (skipped: there is no promtool on PATH)';

/** Returns what promtool reports about the rules; empty when it accepts them. */
export function problemsOf(rules: readonly object[]): string {
  return run(['check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml'], { 'rules.yaml': groups(rules) });
}

/** Returns how a rule differs from a scenario; empty when it matches. */
export function differencesFrom(rule: AlertRule, { series, fires, silent, labels = {} }: Scenario): string {
  const alert = { exp_labels: { ...rule.labels, ...labels }, exp_annotations: rule.annotations };
  const at = (minute: number, expected: readonly object[]): object => ({
    eval_time: `${minute}m`,
    alertname: rule.alert,
    exp_alerts: expected,
  });
  const test = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [...fires.map((minute) => at(minute, [alert])), ...silent.map((minute) => at(minute, []))],
  };
  const tests = { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: [test] };
  return run(['test', 'rules', 'tests.yaml'], { 'rules.yaml': groups([rule]), 'tests.yaml': tests });
}

function groups(rules: readonly object[]): object {
  return { groups: [{ name: 'quarry', rules }] };
}

/** @param files contents by name, written as JSON, which is also YAML. @returns the output of a failed run, otherwise an empty text */
function run(parameters: readonly string[], files: Readonly<Record<string, object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-alerts-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
    const { status, stdout, stderr } = spawnSync('promtool', [...parameters], { cwd: folder, encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
