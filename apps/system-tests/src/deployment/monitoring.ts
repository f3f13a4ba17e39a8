import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { AlertRule, Manifest } from './manifest.js';

const BASE = fileURLToPath(new URL('../../../../k8s/base/', import.meta.url));

/** Alert rules in monitoring.yaml. manifests.spec.ts validates their form against the Prometheus operator's models. */
export const ALERT_RULES: readonly AlertRule[] = parseAllDocuments(readFileSync(`${BASE}monitoring.yaml`, 'utf8'))
  .map((document) => document.toJS() as Manifest)
  .flatMap(({ spec }) => spec.groups ?? [])
  .flatMap(({ rules }) => rules);

/** PromQL expressions of the Grafana dashboard. The interval `5m` replaces Grafana's variable `$__rate_interval`. */
const DASHBOARD_EXPRESSIONS: readonly string[] = collectPromqlExpressions(
  JSON.parse(readFileSync(`${BASE}dashboard.json`, 'utf8')),
).map((expression) => expression.replaceAll('$__rate_interval', '5m'));

/** PromQL expressions of the alert rules and of the dashboard, keyed by file name. */
export const EXPRESSIONS: Readonly<Record<'monitoring.yaml' | 'dashboard.json', readonly string[]>> = {
  'monitoring.yaml': ALERT_RULES.map(({ expr }) => expr),
  'dashboard.json': DASHBOARD_EXPRESSIONS,
};

/** Returns the value of each field `expr` in a JSON value, at any depth. */
function collectPromqlExpressions(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name === 'expr' && typeof field === 'string' ? [field] : collectPromqlExpressions(field),
  );
}
