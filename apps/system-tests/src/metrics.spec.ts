import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeModel } from './quarry/fake-model.js';
import { startFiveServices, type FiveServices } from './quarry/five-services.js';
import { METRICS_TOKEN, ROOT_KEY } from './quarry/quarry-process.js';
import { servicesStack } from './quarry/services-stack.js';
import { textFile } from './quarry/text-file.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const model = await startFakeModel();
const { missing } = servicesStack();

/** Label names, by the name of the number. */
type Labels = ReadonlyMap<string, ReadonlySet<string>>;

describe.skipIf(missing !== undefined)(
  `the numbers of five services${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let services: FiveServices;
    /** All that they show. */
    let text: string;
    let shown: Labels;

    beforeAll(async () => {
      services = await startFiveServices({ ...model.variables, QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true' });
      const quarry = createClient({ baseUrl: services.baseUrl, apiKey: ROOT_KEY });
      const { id: datastoreId } = await quarry.createDatastore({ name: 'Counted' });
      const { id } = await quarry.uploadFile(datastoreId, textFile('marble.txt', 'Marble is hard.'));
      await quarry.untilSettled(id);
      // The model is no web site, but it answers.
      const config = { source_url: model.url };
      const page = await quarry.createDatasource({ datastoreId, type: 'web_page', name: 'Page', config });
      await quarry.untilSettled(page.id);
      const { id: agentId } = await quarry.createAgent({ name: 'Mason', datastoreIds: [datastoreId] });
      await quarry.queryAgent(agentId, { query: 'Is marble hard?' });
      text = (await Promise.all(Object.values(services.replicas).flat().map(metrics))).join('\n');
      shown = labelsOf(text);
    });
    afterAll(async () => {
      await services.stop();
      await model.stop();
    });

    it('are all there that docs/operations.md tells of, with the labels it tells', () => {
      const rows = [...readFileSync(`${ROOT}docs/operations.md`, 'utf8').matchAll(/^\| `(quarry_\w+)` +\|([^|]*)\|/gm)];
      expect(rows.length).toBeGreaterThan(8);
      for (const [, name = '', labels = ''] of rows) {
        const told = labels.split(',').map((label) => label.trim());
        expect([name, [...(shown.get(name) ?? ['nothing'])].sort()]).toEqual([
          name,
          told.filter((label) => label !== '').sort(),
        ]);
      }
    });

    it.each(['k8s/base/monitoring.yaml', 'k8s/base/dashboard.json'])('have every label by which %s chooses', (path) => {
      const chosen = [...readFileSync(`${ROOT}${path}`, 'utf8').matchAll(/\b(quarry_[a-z_]+)\{([^}]*)\}/g)];
      expect(chosen.length).toBeGreaterThan(1);
      for (const [, name = '', selectors = ''] of chosen) {
        const labels = [...selectors.matchAll(/(\w+)(?:=~|!~|!=|=)\\?"/g)].map(([, label]) => label);
        // Of the Service that Prometheus has asked.
        const known = [...(shown.get(name.replace(/_(bucket|count|sum)$/, '')) ?? []), 'service', 'namespace'];
        expect([name, labels.filter((label) => !known.includes(label ?? ''))]).toEqual([name, []]);
      }
    });

    it.each(['k8s/base/monitoring.yaml', 'k8s/base/dashboard.json'])('are all there that %s reads', (path) => {
      const read = expressionsOf(path).flatMap((expression) => [...numbersIn(expression)]);
      expect(new Set(read).size).toBeGreaterThan(5);
      // Of kube-state-metrics, which sees what a pod cannot tell of itself.
      const ours = read.filter((name) => name !== 'kube_deployment_status_replicas_unavailable');
      expect(ours.filter((name) => !text.includes(`\n${name}{`))).toEqual([]);
    });

    it('are measured finely enough for the times that alerts name', () => {
      const timed = expressionsOf('k8s/base/monitoring.yaml').flatMap((expression) => {
        const [, name = '', limit = ''] =
          /histogram_quantile\(.*\b(quarry_\w+_bucket)\b.*> (\d+)$/.exec(expression) ?? [];
        return name === '' ? [] : [{ name, limit: Number(limit) }];
      });
      expect(timed.length).toBeGreaterThan(1);
      for (const { name, limit } of timed) {
        const bounds = [...text.matchAll(new RegExp(`^${name}\\{le="([\\d.]+)"`, 'gm'))].map(([, bound]) =>
          Number(bound),
        );
        // A quantile is never told to be above the highest bound.
        expect([name, Math.max(...bounds) > limit]).toEqual([name, true]);
      }
    });
  },
);

async function metrics({ port }: { readonly port: number }): Promise<string> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
}

/** Of numbers that have at least one sample. */
function labelsOf(text: string): Labels {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(
    /^(quarry_\w+?)(?:_bucket|_count|_sum)?(?:\{([^}]*)\})? \S+$/gm,
  )) {
    const names = [...labels.matchAll(/(\w+)="/g)].flatMap(([, label = '']) =>
      ['le', 'service'].includes(label) ? [] : [label],
    );
    found.set(name, new Set([...(found.get(name) ?? []), ...names]));
  }
  return found;
}

function expressionsOf(path: string): readonly string[] {
  const text = readFileSync(`${ROOT}${path}`, 'utf8');
  const found = path.endsWith('.json') ? text.matchAll(/"expr": "(.*)"/g) : text.matchAll(/expr: >-\n *(.*)\n/g);
  return [...found].map(([, expression = '']) => expression);
}

/** Names with an underscore that are neither functions nor labels. */
function numbersIn(expression: string): readonly string[] {
  const bare = expression.replace(/\{[^}]*\}/g, '').replace(/\bby \([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b(?! ?\()/g)].map(([name]) => name);
}
