import { once } from 'node:events';
import { expect, it } from 'vitest';
import { cancelRuns } from './run-cancellation.js';
import { inMemoryBlobStore } from './testing/index.js';
import { RunCancelled, whileWanted } from './while-wanted.js';

const run = { organizationId: 'organization', datastoreId: 'datastore', datasourceId: 'datasource', generation: 7 };
const { signal: never } = new AbortController();

/** Waits for something that does not come. */
const waitUntilAborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
  signal.throwIfAborted();
};

it('does nothing for a run that was cancelled before', async () => {
  const blobs = inMemoryBlobStore();
  await cancelRuns(blobs, run);
  let begun = false;
  const work = async (): Promise<void> => {
    begun = true;
  };
  await expect(whileWanted(blobs, run, never, work)).rejects.toThrow(RunCancelled);
  expect(begun).toBe(false);
});

it('ends what waits when the run is cancelled', async () => {
  const blobs = inMemoryBlobStore();
  const working = whileWanted(blobs, run, never, async (signal) => {
    await cancelRuns(blobs, run);
    await waitUntilAborted(signal);
  });
  await expect(working).rejects.toThrow(RunCancelled);
});

it('fails as the work does while the run is wanted, also when that was aborted by somebody else', async () => {
  const blobs = inMemoryBlobStore();
  const fails = async (): Promise<void> => {
    throw new Error('the work failed');
  };
  await expect(whileWanted(blobs, run, never, fails)).rejects.toThrow('the work failed');
  const closing = new AbortController();
  const working = whileWanted(blobs, run, closing.signal, waitUntilAborted);
  closing.abort(new Error('closing'));
  await expect(working).rejects.toThrow('closing');
});
