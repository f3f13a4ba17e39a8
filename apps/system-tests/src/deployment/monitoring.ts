import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { AlertRule, Manifest } from './manifest.js';

const BASE = fileURLToPath(new URL('../../../../k8s/base/', import.meta.url));

/** The alert rules of the manifests. manifests.spec.ts validates them against the models of the Prometheus operator. */
export const ALERT_RULES: readonly AlertRule[] = parseAllDocuments(readFileSync(`${BASE}monitoring.yaml`, 'utf8'))
  .map((document) => document.toJS() as Manifest)
  .flatMap(({ spec }) => spec.groups ?? [])
  .flatMap(({ rules }) => rules);

/** The PromQL expressions of the Grafana dashboard, in which an interval replaces Grafana's interval variable. */
const DASHBOARD_EXPRESSIONS: readonly string[] = collectPromqlExpressions(
  JSON.parse(readFileSync(`${BASE}dashboard.json`, 'utf8')),
).map((expression) => expression.replaceAll('$__rate_interval', '5m'));

/** The PromQL expressions of the alert rules and of the dashboard, by file name. */
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
