import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPRESSIONS } from './deployment/monitoring.js';
import { parseComparisons, parseMetricNames, parseSelectors } from './deployment/promql.js';
import { startFakeModel } from './quarry/fake-model.js';
import { startFiveServices, type FiveServices } from './quarry/five-services.js';
import { METRICS_TOKEN, ROOT_KEY } from './quarry/quarry-process.js';
import { createServicesStack } from './quarry/services-stack.js';
import { createTextFile } from './quarry/text-file.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const model = await startFakeModel();
const { missing } = createServicesStack();

/** The name of a metric that kube-state-metrics exports, because a pod cannot report its own absence. */
const KUBERNETES_METRIC = 'kube_deployment_status_replicas_unavailable';

/** Maps the name of each metric to the names of its labels. */
type Labels = ReadonlyMap<string, ReadonlySet<string>>;

describe.skipIf(missing !== undefined)(
  `the metrics of five services${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let services: FiveServices;
    /** Metrics of all services, joined as one text in the format of Prometheus. */
    let text: string;
    let exported: Labels;

    beforeAll(async () => {
      services = await startFiveServices({ ...model.variables, QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true' });
      const quarry = createClient({ baseUrl: services.baseUrl, apiKey: ROOT_KEY });
      const { id: datastoreId } = await quarry.createDatastore({ name: 'Counted' });
      const { id } = await quarry.uploadFile(datastoreId, createTextFile('marble.txt', 'Marble is hard.'));
      await quarry.untilSettled(id);
      // The simulated model serves as the web page, because any HTTP response counts as a fetch.
      const config = { source_url: model.url };
      const page = await quarry.createDatasource({ datastoreId, type: 'web_page', name: 'Page', config });
      await quarry.untilSettled(page.id);
      const { id: agentId } = await quarry.createAgent({ name: 'Mason', datastoreIds: [datastoreId] });
      await quarry.queryAgent(agentId, { query: 'Is marble hard?' });
      text = (await Promise.all(Object.values(services.replicas).flat().map(readMetrics))).join('\n');
      exported = collectMetricLabels(text);
    });
    afterAll(async () => {
      await services.stop();
      await model.stop();
    });

    it('the services export the metrics of docs/operations.md, with the documented labels', () => {
      const rows = [...readFileSync(`${ROOT}docs/operations.md`, 'utf8').matchAll(/^\| `(quarry_\w+)` +\|([^|]*)\|/gm)];
      expect(rows.length).toBeGreaterThan(8);
      for (const [, name = '', labels = ''] of rows) {
        const documented = labels.split(',').map((label) => label.trim());
        expect([name, [...(exported.get(name) ?? ['nothing'])].sort()]).toEqual([
          name,
          documented.filter((label) => label !== '').sort(),
        ]);
      }
    });

    it.each(Object.entries(EXPRESSIONS))(
      'the exported metrics have every label that the expressions of %s compare',
      (_file, expressions) => {
        const selectors = expressions
          .flatMap(parseSelectors)
          .filter(({ metric, labels }) => metric.startsWith('quarry_') && labels.length > 0);
        expect(selectors.length).toBeGreaterThan(1);
        for (const { metric, labels } of selectors) {
          // Prometheus adds the labels `service` and `namespace` of the Kubernetes Service that it scrapes.
          const known = [...(exported.get(metric.replace(/_(bucket|count|sum)$/, '')) ?? []), 'service', 'namespace'];
          expect([metric, labels.filter((label) => !known.includes(label))]).toEqual([metric, []]);
        }
      },
    );

    it.each(Object.entries(EXPRESSIONS))(
      'the services export every metric that the expressions of %s read',
      (_file, expressions) => {
        const read = expressions.flatMap(parseMetricNames);
        expect(new Set(read).size).toBeGreaterThan(5);
        const ours = read.filter((name) => name !== KUBERNETES_METRIC);
        expect(ours.filter((name) => !text.includes(`\n${name}{`))).toEqual([]);
      },
    );

    it('each alert on a histogram of durations has a limit below the highest finite bucket bound of the histogram', () => {
      const durations = EXPRESSIONS['monitoring.yaml']
        .flatMap(parseComparisons)
        .flatMap(({ metrics: names, limit }) => {
          const [bucket = ''] = names.filter((name) => name.endsWith('_seconds_bucket'));
          return bucket === '' ? [] : [{ bucket, limit }];
        });
      expect(durations.length).toBeGreaterThan(1);
      for (const { bucket, limit } of durations) {
        const bounds = [...text.matchAll(new RegExp(`^${bucket}\\{le="([\\d.]+)"`, 'gm'))].map(([, bound]) =>
          Number(bound),
        );
        // Prometheus never computes a quantile above the highest finite bound.
        expect([bucket, Math.max(...bounds) > limit]).toEqual([bucket, true]);
      }
    });
  },
);

async function readMetrics({ port }: { readonly port: number }): Promise<string> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
}

/** Returns the label names, without `le` and `service`, of each metric of Quarry with a sample in the text. */
function collectMetricLabels(text: string): Labels {
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
