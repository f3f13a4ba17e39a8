import type { Response } from 'supertest';
import type { Api } from './start-test-gateway.js';

/** Maps operation ids to functions that send a valid request of the operation to an older path. */
export const OLDER_PATH_CALLS: Readonly<Record<string, (api: Api, path: string) => PromiseLike<Response>>> = {
  queryDatastore: (api, path) => api.post(path).send({ query: 'q' }),
  queryAgent: (api, path) => api.post(path).send({ query: 'q' }),
  uploadFile: (api, path) => api.post(path).attach('file', Buffer.from('x'), 'a.txt'),
  upsertDocuments: (api, path) =>
    api.post(path).send(path.includes('/update/') ? { text: 'a' } : { documents: [{ text: 'a' }] }),
  getMe: (api, path) => api.get(path),
  listAgents: (api, path) => api.get(path),
  listDatastores: (api, path) => api.get(path),
};
