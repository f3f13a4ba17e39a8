import { createClient, type QuarryClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFiveServices, type FiveServices } from './quarry/five-services.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import { servicesStack } from './quarry/services-stack.js';
import { textFile } from './quarry/text-file.js';
import { spanTree, startTraceCollector, type TraceCollector } from './quarry/trace-collector.js';

const { missing } = servicesStack();

describe.skipIf(missing !== undefined)(
  `traces through the services${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let collector: TraceCollector;
    let services: FiveServices;
    let quarry: QuarryClient;
    let datastoreId: string;

    beforeAll(async () => {
      collector = await startTraceCollector();
      services = await startFiveServices({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
      quarry = createClient({ baseUrl: services.baseUrl, apiKey: ROOT_KEY });
      ({ id: datastoreId } = await quarry.createDatastore({ name: 'Traced' }));
    });
    afterAll(async () => {
      await services.stop();
      await collector.close();
    });

    /** The one trace that begins with this request, as soon as it has all of these spans where they belong. */
    async function expectTrace(request: string, wanted: readonly string[]): Promise<void> {
      const tree = (): readonly string[] => {
        const roots = collector.spans.filter(({ name, parentSpanId }) => name === request && parentSpanId === '');
        expect(roots).toHaveLength(1);
        return spanTree(collector.spans.filter(({ traceId }) => traceId === roots[0]?.traceId));
      };
      await expect.poll(tree, { timeout: 20_000 }).toEqual(expect.arrayContaining([...wanted]));
    }

    it('follow an upload through gateway, outbox, queue, worker and stores, and its status back', async () => {
      const marble = textFile('marble.txt', 'Marble is limestone that was pressed and heated.');
      const { id } = await quarry.uploadFile(datastoreId, marble);
      await quarry.untilSettled(id);
      await expectTrace('POST /api/external/datastores/file-upload/:datastoreId', [
        'gateway POST /api/external/datastores/file-upload/:datastoreId',
        '  gateway blobs.write',
        '  gateway outbox',
        '    ingestion-worker process ingestion',
        '      ingestion-worker blobs.read',
        '      ingestion-worker reader.read',
        '      ingestion-worker fragments.replaceDocument',
        '      ingestion-worker add datasource-status.status-changed',
        '        gateway process datasource-status',
      ]);
    });

    it('follow a question from the gateway into the query service', async () => {
      await quarry.queryDatastore(datastoreId, { query: 'What is marble?' });
      await expectTrace('POST /api/datastores/:id/query', [
        'gateway POST /api/datastores/:id/query',
        '  gateway query-service.search',
        '    query POST /internal/search',
        '      query fragments.searchLexical',
      ]);
    });
  },
);
