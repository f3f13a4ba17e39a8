import type { Test } from 'supertest';
import { FILE_CALLS, type FileIds } from './file-calls.js';
import { createFileBatch, createFile, createUpload, createVectorStore, sendTextFile } from './create-files.js';
import { getStringField } from './create-resources.js';
import type { Api } from './start-test-gateway.js';

/** The ids of the resources to which requests to the OpenAI-compatible API refer. */
export interface OpenAiIds extends FileIds {
  /** The model name by which requests refer to an agent, such as `agent:<id>`. */
  readonly model: string;
  readonly response: string;
}

type OpenAiCall = readonly [operationId: string, send: (api: Api, ids: OpenAiIds) => Test];

const MODELS: readonly OpenAiCall[] = [
  ['listModels', (api) => api.get('/v1/models')],
  ['retrieveModel', (api, { model }) => api.get(`/v1/models/${model}`)],
  ['createEmbedding', (api) => api.post('/v1/embeddings').send({ model: 'vectors', input: 'a' })],
  ['deleteModel', (api, { model }) => api.delete(`/v1/models/${model}`)],
];

const ANSWERS: readonly OpenAiCall[] = [
  [
    'createChatCompletion',
    (api, { model }) => api.post('/v1/chat/completions').send({ model, messages: [{ role: 'user', content: 'q' }] }),
  ],
  ['createResponse', (api, { model }) => api.post('/v1/responses').send({ model, input: 'q' })],
  ['countInputTokens', (api, { model }) => api.post('/v1/responses/input_tokens').send({ model, input: 'q' })],
  ['compactResponse', (api, { model }) => api.post('/v1/responses/compact').send({ model, input: 'q' })],
  ['retrieveResponse', (api, { response }) => api.get(`/v1/responses/${response}`)],
  ['listInputItems', (api, { response }) => api.get(`/v1/responses/${response}/input_items`)],
  ['cancelResponse', (api, { response }) => api.post(`/v1/responses/${response}/cancel`)],
  ['deleteResponse', (api, { response }) => api.delete(`/v1/responses/${response}`)],
];

const UPLOAD = { filename: 'a.txt', purpose: 'assistants', bytes: 1, mime_type: 'text/plain' };

const FILES: readonly OpenAiCall[] = [
  ['listFiles', (api) => api.get('/v1/files')],
  ['createFile', (api) => sendTextFile(api)],
  ['createUpload', (api) => api.post('/v1/uploads').send(UPLOAD)],
  ['listVectorStores', (api) => api.get('/v1/vector_stores')],
];

/** Maps the id of each operation of the OpenAI-compatible API to a function that sends a valid request. */
export const OPENAI_CALLS: ReadonlyMap<string, OpenAiCall[1]> = new Map([
  ...ANSWERS,
  ...MODELS,
  ...FILES,
  ...FILE_CALLS.map(([id, send]) => [id, send] as const),
]);

/** Creates one resource of each kind to which requests can refer. */
export async function createOpenAiResources(api: Api, agentId: string): Promise<OpenAiIds> {
  const model = `agent:${agentId}`;
  const response = getStringField(await api.post('/v1/responses').send({ model, input: 'q' }), 'id');
  const file = await createFile(api);
  const store = await createVectorStore(api, { file_ids: [file] });
  return {
    model,
    response,
    file,
    store,
    batch: await createFileBatch(api, store, [file]),
    ...(await createUpload(api)),
  };
}
