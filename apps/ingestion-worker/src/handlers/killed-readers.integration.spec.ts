import { REASONS } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { openDocumentReader, type DocumentReader } from '@quarry/document-readers';
import { ReaderProcessHandle } from '@quarry/document-readers/testing';
import { READING, TEXT, useWorkers } from '../testing/worker-under-test.js';

const start = useWorkers();

/**
 * Creates a document reader with child processes, and kills the processes for which `isKilled` returns true.
 *
 * @param isKilled receives the number of the started process, counted from 1
 */
function createReaderWithKills(isKilled: (number: number) => boolean): DocumentReader {
  let started = 0;
  return openDocumentReader(READING, (memoryMb) => {
    const reading = new ReaderProcessHandle(memoryMb);
    started += 1;
    if (isKilled(started)) setImmediate(() => process.kill(reading.pid ?? 0, 'SIGKILL'));
    return reading;
  });
}

describe('a document whose reader processes are killed', { timeout: 120_000 }, () => {
  it('the worker indexes a document even if every reader process of the first attempt is killed', async () => {
    const worker = start({ reader: createReaderWithKills((number) => number <= 3) });
    await expect(worker.indexAndGetLastEvent(await worker.upload(TEXT))).resolves.toMatchObject({
      status: 'synched',
      fragments: 1,
    });
  });

  it('if every reader process of every attempt is killed, the worker fails the document with `attempts_exhausted` and not with `file_unreadable`', async () => {
    const worker = start({ reader: createReaderWithKills(() => true) });
    await expect(worker.indexAndGetLastEvent(await worker.upload(TEXT))).resolves.toMatchObject({
      status: 'error',
      code: 'attempts_exhausted',
      message: REASONS.attempts_exhausted,
    });
  });
});
