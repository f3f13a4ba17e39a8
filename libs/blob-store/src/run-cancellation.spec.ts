import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { folderOfDatasource } from './datasource-folder.js';
import { cancelForGood, cancelRuns, isCancelled, isRemoved, leaveNothingBehind } from './run-cancellation.js';
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

it('cancels all runs of a datasource that is removed, also when its blobs have gone', async () => {
  const blobs = inMemoryBlobStore();
  await cancelRuns(blobs, run);
  expect(await isRemoved(blobs, run)).toBe(false);
  await cancelForGood(blobs, run);
  await blobs.removeAll(folderOfDatasource(run));
  expect(await isRemoved(blobs, run)).toBe(true);
  expect(await isCancelled(blobs, { ...run, generation: 1_000_000 })).toBe(true);
});

it.each([true, false])('removes what work stored for a removed datasource, also when it fails: %s', async (fails) => {
  const blobs = inMemoryBlobStore();
  const key = `${folderOfDatasource(run)}page`;
  const other = `${folderOfDatasource({ ...run, datasourceId: 'another' })}page`;
  const work = leaveNothingBehind(blobs, run, async () => {
    await cancelForGood(blobs, run);
    await blobs.removeAll(folderOfDatasource(run));
    for (const each of [key, other]) await blobs.write(each, Readable.from(['late']));
    if (fails) throw new Error('the work failed');
  });
  await (fails ? expect(work).rejects.toThrow('the work failed') : work);
  await expect(blobs.read(key)).rejects.toThrow('there is no blob');
  (await blobs.read(other)).destroy();
});
