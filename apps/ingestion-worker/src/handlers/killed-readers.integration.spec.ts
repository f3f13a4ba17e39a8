import { REASONS } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { documentReader, type DocumentReader } from '@quarry/document-readers';
import { ReaderProcessHandle } from '@quarry/document-readers/testing';
import { READING, TEXT, useWorkers } from '../testing/worker-under-test.js';

const start = useWorkers();

/** Reads documents in child processes and kills those that `isKilled` selects by their number, from 1. */
function readerWithKills(isKilled: (number: number) => boolean): DocumentReader {
  let started = 0;
  return documentReader(READING, (memoryMb) => {
    const reading = new ReaderProcessHandle(memoryMb);
    started += 1;
    if (isKilled(started)) setImmediate(() => process.kill(reading.pid ?? 0, 'SIGKILL'));
    return reading;
  });
}

describe('a document whose reader processes are killed', { timeout: 120_000 }, () => {
  it('is indexed even if the first attempt loses every process', async () => {
    const worker = start({ reader: readerWithKills((number) => number <= 3) });
    await expect(worker.indexAndGetLastEvent(await worker.upload(TEXT))).resolves.toMatchObject({
      status: 'synched',
      fragments: 1,
    });
  });

  it('is not reported as unreadable if every attempt loses every process', async () => {
    const worker = start({ reader: readerWithKills(() => true) });
    await expect(worker.indexAndGetLastEvent(await worker.upload(TEXT))).resolves.toMatchObject({
      status: 'error',
      code: 'attempts_exhausted',
      message: REASONS.attempts_exhausted,
    });
  });
});
