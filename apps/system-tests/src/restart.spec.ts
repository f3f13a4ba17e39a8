import { expect, it } from 'vitest';
import { longText } from './quarry/long-text.js';
import { describeStacks } from './quarry/stacks.js';
import { textFile } from './quarry/text-file.js';

describeStacks('a restart', { notAtAddress: 'it is not restarted' }, (quarry, stack) => {
  it('keeps its data after all processes were stopped', async () => {
    const { id: datastoreId } = await quarry().createDatastore({ name: 'Kept' });
    const { ids } = await quarry().upsertDocuments(datastoreId, [{ name: 'n', text: 'Basalt is a volcanic rock.' }]);
    for (const id of ids) expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched' });
    await stack().restart('told');
    expect((await quarry().queryDatastore(datastoreId, { query: 'basalt' }))[0]?.text).toContain('volcanic');
  });

  it('finishes an ingestion as synched after all processes were killed in the middle of it', async () => {
    const { id: datastoreId } = await quarry().createDatastore({ name: 'Stones' });
    const { text, last } = longText();
    const { id } = await quarry().uploadFile(datastoreId, textFile('stones.txt', text));
    await expect.poll(async () => (await quarry().getDatasource(id)).status, { timeout: 60_000 }).toBe('running');
    await stack().restart('killed');
    expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched', run: { counters: { indexed: 1 } } });
    expect((await quarry().queryDatastore(datastoreId, { query: last }))[0]?.text).toContain(last);
  });
});
