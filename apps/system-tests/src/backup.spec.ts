import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startContainers, type Containers } from './quarry/containers-stack.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import { testsContainers } from './quarry/stacks.js';
import { createTextFile } from './quarry/text-file.js';

const reason = testsContainers ? '' : ' (skipped: QUARRY_SYSTEM_TEST_CONTAINERS is not set)';

describe.skipIf(!testsContainers)(`a backup of containers${reason}`, { timeout: 300_000 }, () => {
  let containers: Containers;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-backup-'));
    containers = await startContainers({}, []);
  });
  afterAll(async () => {
    await containers.stop();
    await rm(folder, { recursive: true });
  });

  it('docker/restore.sh restores the data of a backup into new volumes', async () => {
    const quarry = createClient({ baseUrl: containers.baseUrl, apiKey: ROOT_KEY });
    const { id: datastoreId } = await quarry.createDatastore({ name: 'Kept' });
    const { id } = await quarry.uploadFile(datastoreId, createTextFile('slate.txt', 'Slate splits into thin plates.'));
    expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched' });

    await containers.project.script('backup.sh', folder);
    await containers.project.run('down', '--volumes');
    await containers.project.script('restore.sh', folder);

    const found = await quarry.queryDatastore(datastoreId, { query: 'What splits into plates?' });
    expect(found.map(({ text }) => text)).toEqual(['Slate splits into thin plates.']);
    // The sync reads the file from the restored blob store.
    await quarry.syncDatasource(id);
    expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched', run: { counters: { unchanged: 1 } } });
  });
});
