import type { DocumentSettled, IndexDocument, RunProgressed, StatusChanged } from '@quarry/contracts';
import type { StatusEmitter } from '@quarry/run-reporting';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDocumentReporter } from './run-indexing-job.js';

const JOB: Omit<IndexDocument, never> = {
  organizationId: 'organization',
  datastoreId: 'datastore',
  datasourceId: 'datasource',
  datasourceType: 'file',
  runId: 'run',
  generation: 1,
  documentKey: 'document',
  name: 'manual.txt',
  blobKey: 'organization/datastore/datasource/blob',
  mimeType: 'text/plain',
  splitting: { maxTokens: 512, overlapTokens: 64 },
};

let events: (StatusChanged | RunProgressed | DocumentSettled)[];
let statuses: StatusEmitter;
beforeEach(() => {
  events = [];
  const recordEvent = async (event: StatusChanged | RunProgressed | DocumentSettled): Promise<void> => {
    events.push(event);
    return Promise.resolve();
  };
  const rejectEvent = async (): Promise<void> =>
    Promise.reject(new Error('expected no retry, enumeration or removal event'));
  statuses = {
    ...{ emitStatusChange: recordEvent, emitProgress: recordEvent, emitDocumentSettled: recordEvent },
    ...{
      emitRetry: rejectEvent,
      emitDocumentRetry: rejectEvent,
      emitEnumeration: rejectEvent,
      emitRemovalDone: rejectEvent,
    },
  };
});
const createReporter = (job: IndexDocument) =>
  createDocumentReporter(job, 1, { statuses, now: () => new Date(1_000_000) });

describe('createDocumentReporter', () => {
  it('if a run has only one document, the reporter emits the outcome of the document as the end of the run', async () => {
    await createReporter(JOB).reportEnd({ outcome: 'unchanged', fragments: 3, storedTokens: 90 });
    expect(events).toMatchObject([
      { runId: 'run', outcome: 'unchanged', fragments: 3, storedTokens: 90, counters: { fetched: 1, unchanged: 1 } },
    ]);
  });

  it.each([
    ['usage_limit_reached', 'usage_limit_reached'],
    ['file_empty', 'error'],
  ] as const)(
    'for a failed document, the reporter emits the code %s, and also the status %s, which older gateways read',
    async (code, status) => {
      await createReporter(JOB).reportEnd({ outcome: 'failed', code, message: 'No.' });
      expect(events).toMatchObject([{ outcome: 'failed', status, code, message: 'No.', counters: { failed: 1 } }]);
    },
  );

  it('if a run has several documents, the reporter emits the outcome of each document, and the version of a document only if it was indexed', async () => {
    const job: IndexDocument = { ...JOB, partOfRun: true, version: 'v1', source: 'https://example.com/' };
    const reporter = createReporter(job);
    reporter.reportStart();
    reporter.reportProgress('reading');
    await reporter.reportEnd({ outcome: 'indexed', fragments: 1 });
    await createReporter(job).reportEnd({ outcome: 'failed', code: 'file_empty', message: 'It is empty.' });
    const document = { documentKey: 'document', name: 'manual.txt', source: 'https://example.com/' };
    expect(events).toMatchObject([
      { ...document, outcome: 'indexed', version: 'v1' },
      { ...document, outcome: 'failed' },
    ]);
    expect(events[1]).not.toHaveProperty('version');
  });
});
