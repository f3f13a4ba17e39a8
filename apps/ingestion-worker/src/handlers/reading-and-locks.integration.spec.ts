import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { ingestionQueue, type StatusChanged, type IndexDocument } from '@quarry/contracts';
import { startTestPostgres, type TestPostgres } from '@quarry/embedded-postgres/testing';
import { createInMemoryFragmentStore } from '@quarry/fragment-store/testing';
import { openQueues } from '@quarry/queue-bullmq';
import type { Consumer, Queues } from '@quarry/queue';
import { silentLog } from '@quarry/queue/testing';
import { openRunWatch } from '@quarry/run-reporting';
import { createInMemoryRunGateway } from '@quarry/run-reporting/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { forkTypescript } from '../testing/fork-typescript.js';
import {
  createPdfWithSlowPages,
  createSheetWithDistantCells,
  createLongJsonLine,
  createPdfWithPageCycle,
  createDocxWithNestedEntities,
  createZipBomb,
} from '@quarry/document-readers/testing';
import { openDocumentReader, type DocumentReader } from '@quarry/document-readers';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PDF = 'application/pdf';
const TAKEOVER_MS = 6_000;

/** Holds the statuses that the worker has emitted for a run, and the first error code that it has emitted. */
interface RunEvents {
  readonly statuses: string[];
  code?: string | undefined;
}

const events = new Map<string, RunEvents>();
const blobs = createInMemoryBlobStore();
const gateway = createInMemoryRunGateway();
let postgres: TestPostgres;
let queues: Queues;
let reader: DocumentReader;
let consumer: Consumer;

beforeAll(async () => {
  postgres = await startTestPostgres();
  queues = await openQueues({ url: postgres.url, log: silentLog, takeoverMs: TAKEOVER_MS });
  reader = openDocumentReader({
    processes: 1,
    documentsPerProcess: 100,
    idleMs: 60_000,
    // The timeout is longer than the takeover time. So if the worker lost the lock of the job, another worker would
    // start the job before the timeout.
    timeoutMs: 3 * TAKEOVER_MS,
    memoryMb: 1_024,
    maxCharacters: 3_000_000,
  });
  consumer = startConsumers({
    queues,
    blobs,
    reader,
    fragmentStore: createInMemoryFragmentStore(),
    getEmbedder: () => undefined,
    maxFileBytes: 100_000_000,
    claimTokens: async () => Promise.resolve({ granted: true }),
    watch: openRunWatch(gateway.gateway, silentLog),
    statuses: {
      emitStatusChange: async (change) => {
        recordStatus(change);
        return Promise.resolve();
      },
      emitProgress: async () => Promise.resolve(),
      emitRetry: async () => Promise.resolve(),
      emitDocumentSettled: async () => Promise.resolve(),
      emitDocumentRetry: async () => Promise.resolve(),
      emitEnumeration: async () => Promise.resolve(),
      emitRemovalDone: async () => Promise.resolve(),
    },
    now: () => new Date(),
    concurrency: 1,
  });
});
afterAll(async () => {
  await consumer.close(0);
  await reader.close();
  await queues.close(0);
  await postgres.stop();
});

function recordStatus(payload: StatusChanged): void {
  const run = events.get(payload.runId) ?? { statuses: [] };
  run.statuses.push(payload.status);
  run.code ??= payload.code;
  events.set(payload.runId, run);
}

/** Stores the bytes of a document, and enqueues the job that indexes it. @returns the id of the run */
async function addDocument(bytes: string | Uint8Array, mimeType: string, name = 'document'): Promise<string> {
  const runId = randomUUID();
  const blobKey = `o/d/s/${runId}`;
  await blobs.write(blobKey, Readable.from([Buffer.from(bytes)]));
  const job: IndexDocument = {
    ...{ organizationId: 'o', datastoreId: 'd', datasourceId: runId, datasourceType: 'file', generation: 1 },
    ...{ runId, documentKey: runId, name, blobKey, mimeType },
    splitting: { maxTokens: 512, overlapTokens: 64 },
  };
  gateway.addRun(job);
  await queues.createProducer(ingestionQueue).add('index-document', job);
  return runId;
}

const getRunEvents = (runId: string): RunEvents | undefined => events.get(runId);

/** Lists the final statuses that the worker has emitted for a run: one for each start of the run's job. */
const listFinalStatuses = (runId: string): readonly string[] =>
  getRunEvents(runId)?.statuses.filter((status) => status !== 'running') ?? [];

const waitUntilSettled = (runId: string): Promise<void> =>
  expect.poll(() => listFinalStatuses(runId).at(-1), { timeout: 120_000 }).toMatch(/^(?:synched|error)$/);

describe('reading a hostile file', { timeout: 240_000 }, () => {
  it('the worker keeps the lock of a job until reading the file times out, although another worker waits for the lock', async () => {
    const slow = await addDocument(createPdfWithSlowPages(), PDF, 'slow.pdf');
    await expect.poll(() => getRunEvents(slow)?.statuses, { timeout: 30_000 }).toEqual(['running']);
    const rival = forkTypescript(join(import.meta.dirname, '../testing/rival-consumer.ts'), [
      postgres.url,
      String(TAKEOVER_MS),
    ]);
    let output = '';
    rival.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitUntilSettled(slow);
    rival.kill('SIGKILL');
    await once(rival, 'exit');
    expect(output).toBe('ready\n');
    expect(getRunEvents(slow)).toEqual({ statuses: ['running', 'error'], code: 'reading_timed_out' });
  });

  it.each<[string, () => string | Uint8Array, string, string, string?]>([
    ['a zip bomb', () => createZipBomb(1_000), DOCX, 'a.docx', 'file_unreadable|reading_out_of_memory'],
    ['nested entities', createDocxWithNestedEntities, DOCX, 'b.docx', 'file_unreadable'],
    ['a range of ten million rows', createSheetWithDistantCells, XLSX, 'a.xlsx'],
    ['a PDF with a cycle in its page tree', createPdfWithPageCycle, PDF, 'b.pdf', 'no_text_found'],
    ['fifty megabytes of JSON on one line', createLongJsonLine, 'application/json', 'a.json', 'text_too_large'],
    ['a CSV of quotes', () => '"'.repeat(20_000_000), 'text/csv', 'a.csv', 'reading_out_of_memory|text_too_large'],
    ['a program declared as PDF', () => Buffer.from('\x7fELF....'), PDF, 'c.pdf', 'file_type_mismatch'],
  ])(
    'the worker starts the job of a hostile file only once, emits a final status, and then runs the next job: %s',
    async (_, ...[make, mimeType, name, code]) => {
      const hostile = await addDocument(make(), mimeType, name);
      const next = await addDocument('Next.', 'text/plain', 'next.txt');
      await waitUntilSettled(hostile);
      expect({ statuses: listFinalStatuses(hostile), code: getRunEvents(hostile)?.code }).toEqual({
        statuses: [code === undefined ? 'synched' : 'error'],
        code: code === undefined ? undefined : (expect.stringMatching(new RegExp(`^(?:${code})$`)) as string),
      });
      await waitUntilSettled(next);
      expect(listFinalStatuses(next)).toEqual(['synched']);
    },
  );
});
