import type { Test } from 'supertest';
import { getStringField } from './make.js';
import type { Api } from './start-test-gateway.js';

/** Sends a text file to the OpenAI-compatible API. */
export function sendTextFile(api: Api, text = 'some text', name = 'notes.txt'): Test {
  return api.post('/v1/files').field('purpose', 'assistants').attach('file', Buffer.from(text), { filename: name });
}

/** Uploads a text file through the OpenAI-compatible API. @returns its id there */
export async function makeFile(api: Api, text?: string, name?: string): Promise<string> {
  return getStringField(await sendTextFile(api, text, name), 'id');
}

/** Adds files to a vector store as a batch. @returns the id of the batch */
export async function makeBatch(api: Api, store: string, fileIds: readonly string[]): Promise<string> {
  const path = `/v1/vector_stores/${store}/file_batches`;
  return getStringField(await api.post(path).send({ file_ids: fileIds }), 'id');
}

/** Creates a vector store. @returns its id in the OpenAI-compatible API */
export async function makeVectorStore(api: Api, body: object = {}): Promise<string> {
  return getStringField(await api.post('/v1/vector_stores').send({ name: 'manuals', ...body }), 'id');
}
