import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { datasourceStatusQueue, ingestionQueue, type IndexDocument } from '@quarry/contracts';
import { makePdf, placeInColumn, scanPages } from '@quarry/document-readers/testing';
import { createInMemoryFragmentStore } from '@quarry/fragment-store/testing';
import { createInMemoryQueues } from '@quarry/queue/testing';
import { createInMemoryRunGateway } from '@quarry/run-reporting/testing';
import { createLog } from '@quarry/service-kit';
import { expect, it, onTestFinished } from 'vitest';
import { readWorkerSettings } from './settings.js';
import { startIngestionWorker } from './start-ingestion-worker.js';

const WORD = { text: 'Kingfisher', confidence: 88, left: 200, top: 200, width: 150, height: 28, line: 1 };

/** Starts an OCR service that finds one word on each page. @returns its address */
async function startOcrService(): Promise<string> {
  const server = createServer((request, response) => {
    void buffer(request).then(() => response.end(JSON.stringify({ words: [WORD] })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a server that listens on a port has such an address
  return `http://127.0.0.1:${port}`;
}

it('reads a scan with the OCR service of its settings', { timeout: 60_000 }, async () => {
  const [queues, blobs, fragmentStore] = [
    createInMemoryQueues(),
    createInMemoryBlobStore(),
    createInMemoryFragmentStore(),
  ];
  const gateway = createInMemoryRunGateway();
  const worker = await startIngestionWorker({
    ...{
      log: createLog('test', 'silent'),
      queues,
      blobs,
      fragmentStore,
      gateway: gateway.gateway,
      now: () => new Date(),
    },
    settings: readWorkerSettings({ QUARRY_OCR_URL: await startOcrService() }),
    claimTokens: async () => Promise.resolve({ granted: true }),
  });
  onTestFinished(() => worker.close(0));
  const job: IndexDocument = {
    ...{ organizationId: 'o', datastoreId: 'd', datasourceId: 's', datasourceType: 'file', generation: 1 },
    ...{ runId: 'run', documentKey: 'scan', name: 'scan.pdf', blobKey: 'o/d/s/scan', mimeType: 'application/pdf' },
    splitting: { maxTokens: 64, overlapTokens: 8 },
  };
  await blobs.write(job.blobKey, Readable.from([await scanPages(makePdf([placeInColumn(['One.'])]))]));
  gateway.addRun(job);
  await queues.producer(ingestionQueue).add('index-document', job);
  await queues.drain();
  expect(queues.added(datasourceStatusQueue).at(-1)?.payload).toMatchObject({
    ...{ outcome: 'indexed', recognizedPages: 1, recognitionConfidence: 88, pages: 1 },
  });
});
