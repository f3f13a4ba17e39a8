import type { Test } from 'supertest';
import type { Api } from './start-test-gateway.js';

/** The ids of the resources to which requests refer, in the form that the OpenAI-compatible API uses. */
export interface FileIds {
  readonly file: string;
  readonly store: string;
  readonly batch: string;
  readonly upload: string;
  readonly part: string;
}

const CONTENT: readonly FileCall[] = [
  ['retrieveFile', (api, { file }) => api.get(`/v1/files/${file}`)],
  ['downloadFile', (api, { file }) => api.get(`/v1/files/${file}/content`)],
  ['deleteFile', (api, { file }) => api.delete(`/v1/files/${file}`)],
  ['createVectorStore', (api, { file }) => api.post('/v1/vector_stores').send({ file_ids: [file] })],
];

const STORES: readonly FileCall[] = [
  ['retrieveVectorStore', (api, { store }) => api.get(`/v1/vector_stores/${store}`)],
  ['updateVectorStore', (api, { store }) => api.post(`/v1/vector_stores/${store}`).send({ name: 'changed' })],
  ['deleteVectorStore', (api, { store }) => api.delete(`/v1/vector_stores/${store}`)],
  ['searchVectorStore', (api, { store }) => api.post(`/v1/vector_stores/${store}/search`).send({ query: 'q' })],
  ['listVectorStoreFiles', (api, { store }) => api.get(`/v1/vector_stores/${store}/files`)],
];

const STORE_FILES: readonly FileCall[] = [
  [
    'createVectorStoreFile',
    (api, { file, store }) => api.post(`/v1/vector_stores/${store}/files`).send({ file_id: file }),
  ],
  [
    'createVectorStoreFileBatch',
    (api, { file, store }) => api.post(`/v1/vector_stores/${store}/file_batches`).send({ file_ids: [file] }),
  ],
  ['retrieveVectorStoreFile', (api, { file, store }) => api.get(`/v1/vector_stores/${store}/files/${file}`)],
  [
    'updateVectorStoreFile',
    (api, { file, store }) =>
      api.post(`/v1/vector_stores/${store}/files/${file}`).send({ attributes: { changed: true } }),
  ],
  ['deleteVectorStoreFile', (api, { file, store }) => api.delete(`/v1/vector_stores/${store}/files/${file}`)],
  [
    'retrieveVectorStoreFileContent',
    (api, { file, store }) => api.get(`/v1/vector_stores/${store}/files/${file}/content`),
  ],
];

const BATCHES: readonly FileCall[] = [
  ['retrieveVectorStoreFileBatch', (api, { store, batch }) => api.get(getBatchPath(store, batch))],
  ['cancelVectorStoreFileBatch', (api, { store, batch }) => api.post(`${getBatchPath(store, batch)}/cancel`)],
  ['listFilesInVectorStoreBatch', (api, { store, batch }) => api.get(`${getBatchPath(store, batch)}/files`)],
];

function getBatchPath(store: string, batch: string): string {
  return `/v1/vector_stores/${store}/file_batches/${batch}`;
}

const UPLOADS: readonly FileCall[] = [
  [
    'addUploadPart',
    (api, { upload }) => api.post(`/v1/uploads/${upload}/parts`).attach('data', Buffer.from('x'), 'blob'),
  ],
  ['completeUpload', (api, { upload, part }) => api.post(`/v1/uploads/${upload}/complete`).send({ part_ids: [part] })],
  ['cancelUpload', (api, { upload }) => api.post(`/v1/uploads/${upload}/cancel`)],
];

type FileCall = readonly [operationId: string, send: (api: Api, ids: FileIds) => Test];

/**
 * Valid requests, one for each operation that refers to an existing file, vector store, file batch or upload. The last
 * element of each tuple lists the kinds of resources whose ids the request contains.
 */
export const FILE_CALLS: readonly (readonly [...FileCall, readonly (keyof FileIds)[]])[] = [
  ...CONTENT.map((call) => [...call, ['file'] as const] as const),
  ...STORES.map((call) => [...call, ['store'] as const] as const),
  ...STORE_FILES.map((call) => [...call, ['file', 'store'] as const] as const),
  ...BATCHES.map((call) => [...call, ['store', 'batch'] as const] as const),
  ...UPLOADS.map((call) => [...call, ['upload'] as const] as const),
];
