import { expect, it } from 'vitest';
import { buildLongText } from './quarry/long-text.js';
import { describeOnEachStack } from './quarry/stacks.js';
import { createTextFile } from './quarry/text-file.js';

describeOnEachStack('a restart', { notAtAddress: 'its processes cannot be restarted' }, (quarry, stack) => {
  it('Quarry retains its data when all its processes are stopped and started again', async () => {
    const { id: datastoreId } = await quarry().createDatastore({ name: 'Kept' });
    const { ids } = await quarry().upsertDocuments(datastoreId, [{ name: 'n', text: 'Basalt is a volcanic rock.' }]);
    for (const id of ids) expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched' });
    await stack().restart('stopped');
    expect((await quarry().queryDatastore(datastoreId, { query: 'basalt' }))[0]?.text).toContain('volcanic');
  });

  it('if all processes are killed during the ingestion of a file, Quarry completes the ingestion after the restart', async () => {
    const { id: datastoreId } = await quarry().createDatastore({ name: 'Stones' });
    const { text, last } = buildLongText();
    const { id } = await quarry().uploadFile(datastoreId, createTextFile('stones.txt', text));
    await expect.poll(async () => (await quarry().getDatasource(id)).status, { timeout: 60_000 }).toBe('running');
    await stack().restart('killed');
    expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched', run: { counters: { indexed: 1 } } });
    expect((await quarry().queryDatastore(datastoreId, { query: last }))[0]?.text).toContain(last);
  });
});
