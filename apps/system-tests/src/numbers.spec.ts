import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeModel } from './quarry/fake-model.js';
import { startFiveServices, type FiveServices } from './quarry/five-services.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
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
      shown = labelsOf(await Promise.all(Object.values(services.replicas).flat().map(metrics)));
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
  },
);

async function metrics({ port }: { readonly port: number }): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** Of numbers that have at least one sample. */
function labelsOf(texts: readonly string[]): Labels {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of texts
    .join('\n')
    .matchAll(/^(quarry_\w+?)(?:_bucket|_count|_sum)?(?:\{([^}]*)\})? \S+$/gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].flatMap(([, label = '']) =>
      ['le', 'service'].includes(label) ? [] : [label],
    );
    found.set(name, new Set([...(found.get(name) ?? []), ...names]));
  }
  return found;
}
