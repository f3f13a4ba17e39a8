import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachStack } from './quarry/stacks.js';
import { createTextFile } from './quarry/text-file.js';
import { formatSpanTree, startTraceCollector } from './quarry/trace-collector.js';

const collector = await startTraceCollector();
afterAll(() => collector.close());

const needs = {
  variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  servers: () => [collector.url],
  ofServices: true,
  notAtAddress: 'it does not export its traces to the collector of the tests',
};

describeOnEachStack('traces', needs, (quarry) => {
  let datastoreId: string;
  beforeAll(async () => {
    ({ id: datastoreId } = await quarry().createDatastore({ name: 'Traced' }));
  });

  /** Waits until one trace has `request` as its root span, and its tree contains all lines of `wanted`. */
  async function expectTrace(request: string, wanted: readonly string[]): Promise<void> {
    const formatTree = (): readonly string[] => {
      const roots = collector.spans.filter(({ name, parentSpanId }) => name === request && parentSpanId === '');
      expect(roots).toHaveLength(1);
      return formatSpanTree(collector.spans.filter(({ traceId }) => traceId === roots[0]?.traceId));
    };
    await expect.poll(formatTree, { timeout: 20_000 }).toEqual(expect.arrayContaining([...wanted]));
  }

  it('a trace contains the spans of an upload in the gateway, outbox, queue, worker and stores, and those of its status events in the gateway', async () => {
    const marble = createTextFile('marble.txt', 'Marble is limestone that was pressed and heated.');
    const { id } = await quarry().uploadFile(datastoreId, marble);
    await quarry().untilSettled(id);
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

  it('a trace contains the spans of a search in the gateway and in the query service', async () => {
    await quarry().queryDatastore(datastoreId, { query: 'What is marble?' });
    await expectTrace('POST /api/datastores/:id/query', [
      'gateway POST /api/datastores/:id/query',
      '  gateway query-service.search',
      '    query POST /internal/search',
      '      query fragments.searchLexical',
    ]);
  });
});
