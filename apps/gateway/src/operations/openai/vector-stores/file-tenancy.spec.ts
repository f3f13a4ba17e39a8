import { beforeEach, describe, expect, it } from 'vitest';
import { FILE_CALLS, type FileIds } from '../../../testing/file-calls.js';
import { createFileBatch, createFile, createUpload, createVectorStore } from '../../../testing/create-files.js';
import type { Api } from '../../../testing/start-test-gateway.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';

const used = setUpTenant();
const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const UNKNOWN: FileIds = {
  file: `file-${UNKNOWN_ID}`,
  store: `vs_${UNKNOWN_ID}`,
  batch: `vsfb_${UNKNOWN_ID}`,
  upload: `upload_${UNKNOWN_ID}`,
  part: `part_${UNKNOWN_ID}`,
};

let own: FileIds;
beforeEach(async () => {
  own = await createFileInStore(used.tenant.api);
});

async function createFileInStore(api: Api): Promise<FileIds> {
  const file = await createFile(api);
  const store = await createVectorStore(api);
  return { file, store, batch: await createFileBatch(api, store, [file]), ...(await createUpload(api)) };
}

const maskIds = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[-0-9a-f]{27}/g, 'x');

describe.each(FILE_CALLS)('%s', (_id, send, named) => {
  it.each(named)(
    'the API returns the same error for a %s of another organization as for an unknown id',
    async (kind) => {
      const { api } = await used.test.createTenant();
      const foreign = await createFileInStore(api);
      const unknown = await send(used.tenant.api, { ...own, [kind]: UNKNOWN[kind] });
      const refused = await send(used.tenant.api, { ...own, [kind]: foreign[kind] });
      expect([refused.status, maskIds(refused.text)]).toEqual([404, maskIds(unknown.text)]);
      const path = `/v1/vector_stores/${foreign.store}`;
      expect((await api.get(`${path}/files/${foreign.file}`)).body).toMatchObject({ id: foreign.file, attributes: {} });
      expect((await api.get(path)).body).toMatchObject({ name: 'manuals', file_counts: { total: 1 } });
    },
  );

  it('the API accepts a request for resources of the organization of the caller', async () => {
    expect((await send(used.tenant.api, own)).status).toBe(200);
  });

  if (named.includes('store')) {
    it('the API does not find a vector store that the limited key cannot access', async () => {
      const { key } = await used.tenant.addKey({ datastoreIds: [used.datastore] });
      expect((await send(used.test.createApi(key), own)).status).toBe(404);
    });
  }
});

describe('the files and vector stores of an organization', () => {
  it('GET /v1/files and GET /v1/vector_stores list nothing of other organizations', async () => {
    const foreign = await createFileInStore((await used.test.createTenant()).api);
    for (const path of ['/v1/files', '/v1/vector_stores'])
      expect((await used.tenant.api.get(path)).text).not.toMatch(new RegExp(`${foreign.file}|${foreign.store}`));
  });
});
