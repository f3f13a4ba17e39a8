import { REASONS } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { documentReader, type DocumentReader } from '@quarry/document-readers';
import { ReadingProcess } from '@quarry/document-readers/testing';
import { READING, TEXT, useWorkers } from '../testing/worker-under-test.js';

const start = useWorkers();

/** Reads in processes of which those that `isKilled` selects, by their number from 1, are killed from outside. */
function readerWithKills(isKilled: (number: number) => boolean): DocumentReader {
  let started = 0;
  return documentReader(READING, (memoryMb) => {
    const reading = new ReadingProcess(memoryMb);
    started += 1;
    if (isKilled(started)) setImmediate(() => process.kill(reading.pid ?? 0, 'SIGKILL'));
    return reading;
  });
}

describe('a document whose reader process is killed from outside', { timeout: 120_000 }, () => {
  it('is indexed, also when the first attempt loses every process', async () => {
    const worker = start({ reader: readerWithKills((number) => number <= 3) });
    await expect(worker.endOf(await worker.upload(TEXT))).resolves.toMatchObject({ status: 'synched', fragments: 1 });
  });

  it('is not said to be at fault when every attempt loses every process', async () => {
    const worker = start({ reader: readerWithKills(() => true) });
    await expect(worker.endOf(await worker.upload(TEXT))).resolves.toMatchObject({
      status: 'error',
      code: 'attempts_exhausted',
      message: REASONS.attempts_exhausted,
    });
  });
});
