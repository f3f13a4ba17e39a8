import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { datasourceStatusQueue, ingestionQueue, type IndexDocument } from '@quarry/contracts';
import { makePdf, layOutInColumn, createScanOfPages } from '@quarry/document-readers/testing';
import { createInMemoryFragmentStore } from '@quarry/fragment-store/testing';
import { createInMemoryQueues } from '@quarry/queue/testing';
import { createInMemoryRunGateway } from '@quarry/run-reporting/testing';
import { createLog } from '@quarry/service-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readWorkerSettings } from './settings.js';
import { startIngestionWorker } from './start-ingestion-worker.js';

const WORD = { text: 'Kingfisher', confidence: 88, left: 200, top: 200, width: 150, height: 28, line: 1 };

/**
 * Starts an OCR service that finds one word on each page. @param canRespond awaited before each response @returns the
 * address of the service
 */
async function startOcrService(canRespond: () => Promise<void> = async () => Promise.resolve()): Promise<string> {
  const server = createServer((request, response) => {
    void buffer(request)
      .then(canRespond)
      .then(() => response.end(JSON.stringify({ words: [WORD] })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a server that listens on a port has such an address
  return `http://127.0.0.1:${port}`;
}

async function startWorker(environment: NodeJS.ProcessEnv) {
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
    settings: readWorkerSettings(environment),
    claimTokens: async () => Promise.resolve({ granted: true }),
  });
  onTestFinished(() => worker.close(0));
  const addJob = async (documentKey: string, mimeType: string, content: Buffer): Promise<void> => {
    const job: IndexDocument = {
      ...{ organizationId: 'o', datastoreId: 'd', datasourceId: documentKey, datasourceType: 'file', generation: 1 },
      ...{ runId: documentKey, documentKey, name: documentKey, blobKey: `o/d/s/${documentKey}`, mimeType },
      splitting: { maxTokens: 64, overlapTokens: 8 },
    };
    await blobs.write(job.blobKey, Readable.from([content]));
    gateway.addRun(job);
    await queues.createProducer(ingestionQueue).add('index-document', job);
  };
  const listOutcomes = () => queues.listAddedJobs(datasourceStatusQueue).map(({ payload }) => payload);
  return { queues, addJob, listOutcomes };
}

describe('startIngestionWorker', () => {
  it('the worker reads a scan with the OCR service of its settings', { timeout: 60_000 }, async () => {
    const worker = await startWorker({ QUARRY_OCR_URL: await startOcrService() });
    await worker.addJob('scan.pdf', 'application/pdf', await createScanOfPages(makePdf([layOutInColumn(['One.'])])));
    await worker.queues.runAllJobs();
    expect(worker.listOutcomes().at(-1)).toMatchObject({
      ...{ outcome: 'indexed', recognizedPages: 1, recognitionConfidence: 88, pages: 1 },
    });
  });

  it(
    'the worker reads a text file while the maximum number of scans waits for the OCR service',
    { timeout: 60_000 },
    async () => {
      const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>();
      let pages = 0;
      const url = await startOcrService(async () => {
        pages += 1;
        await isReleased;
      });
      const limits = { QUARRY_INGESTION_CONCURRENCY: '1', QUARRY_READING_PROCESSES: '1', QUARRY_OCR_CONCURRENCY: '1' };
      const worker = await startWorker({ QUARRY_OCR_URL: url, ...limits });
      expect(await worker.queues.getCapacity(ingestionQueue)).toBe(5);

      const scan = await createScanOfPages(makePdf([layOutInColumn(['One.'])]));
      for (const name of ['1.pdf', '2.pdf', '3.pdf', '4.pdf']) await worker.addJob(name, 'application/pdf', scan);
      const scans = Array.from({ length: 4 }, () => worker.queues.runAllJobs());
      await expect.poll(() => pages, { timeout: 30_000 }).toBe(1);
      await worker.addJob('note.txt', 'text/plain', Buffer.from('The heron stands.'));
      await worker.queues.runAllJobs();
      expect(worker.listOutcomes()).toContainEqual(expect.objectContaining({ outcome: 'indexed', runId: 'note.txt' }));
      expect(worker.listOutcomes()).not.toContainEqual(expect.objectContaining({ outcome: 'indexed', runId: '1.pdf' }));
      expect(pages).toBe(1);

      release(undefined);
      await Promise.all(scans);
      expect(worker.listOutcomes().filter((event) => 'recognizedPages' in event)).toHaveLength(4);
    },
  );
});
