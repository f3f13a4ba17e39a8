import { expect, it } from 'vitest';
import { cancelRuns, isCancelled } from './run-cancellation.js';
import { inMemoryBlobStore } from './testing/index.js';

const run = { organizationId: 'organization', datastoreId: 'datastore', datasourceId: 'datasource', generation: 7 };

it('cancels a run and those before it, and none after it or of another datasource', async () => {
  const blobs = inMemoryBlobStore();
  expect(await isCancelled(blobs, run)).toBe(false);
  await cancelRuns(blobs, run);
  expect(await isCancelled(blobs, run)).toBe(true);
  expect(await isCancelled(blobs, { ...run, generation: 6 })).toBe(true);
  expect(await isCancelled(blobs, { ...run, generation: 8 })).toBe(false);
  expect(await isCancelled(blobs, { ...run, datasourceId: 'another' })).toBe(false);
});

it('forgets it with the datasource', async () => {
  const blobs = inMemoryBlobStore();
  await cancelRuns(blobs, run);
  await blobs.removeAll('organization/datastore/datasource/');
  expect(await isCancelled(blobs, run)).toBe(false);
});
