import type { Test } from 'supertest';
import { getStringField } from './create-resources.js';
import type { Api } from './start-test-gateway.js';

/** Sends a text file to the OpenAI-compatible API. */
export function sendTextFile(api: Api, text = 'some text', name = 'notes.txt'): Test {
  return api.post('/v1/files').field('purpose', 'assistants').attach('file', Buffer.from(text), { filename: name });
}

/** Uploads a text file through the OpenAI-compatible API. @returns the id of the file in this API */
export async function createFile(api: Api, text?: string, name?: string): Promise<string> {
  return getStringField(await sendTextFile(api, text, name), 'id');
}

/**
 * Begins an upload of a text file in the OpenAI-compatible API, and adds one part that contains the whole file.
 *
 * @returns the ids of the upload and of the part
 */
export async function createUpload(
  api: Api,
  text = 'some text',
): Promise<{ readonly upload: string; readonly part: string }> {
  const body = {
    filename: 'notes.txt',
    purpose: 'assistants',
    bytes: Buffer.byteLength(text),
    mime_type: 'text/plain',
  };
  const upload = getStringField(await api.post('/v1/uploads').send(body), 'id');
  return { upload, part: await createUploadPart(api, upload, text) };
}

/** Adds a part with a text to an upload of the OpenAI-compatible API. @returns the id of the part */
export async function createUploadPart(api: Api, upload: string, text: string): Promise<string> {
  const response = await api.post(`/v1/uploads/${upload}/parts`).attach('data', Buffer.from(text), 'blob');
  return getStringField(response, 'id');
}

/** Adds files to a vector store as a batch. @returns the id of the batch */
export async function createFileBatch(api: Api, store: string, fileIds: readonly string[]): Promise<string> {
  const path = `/v1/vector_stores/${store}/file_batches`;
  return getStringField(await api.post(path).send({ file_ids: fileIds }), 'id');
}

/** Creates a vector store. @returns the id of the vector store in the OpenAI-compatible API */
export async function createVectorStore(api: Api, body: object = {}): Promise<string> {
  return getStringField(await api.post('/v1/vector_stores').send({ name: 'manuals', ...body }), 'id');
}
