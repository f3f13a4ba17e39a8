import type { Response } from 'supertest';
import type { Api } from './start-test-gateway.js';

/** @returns the datastore's id */
export async function makeDatastore(api: Api, body: object = {}): Promise<string> {
  return textOf(await api.post('/api/datastores').send({ name: 'manuals', ...body }), 'id');
}

/** @returns the agent's id */
export async function makeAgent(api: Api, body: object = {}): Promise<string> {
  return textOf(await api.post('/api/agents').send({ name: 'helper', datastoreIds: [], ...body }), 'id');
}

/** Uploads a text file. @returns the datasource's id */
export async function uploadText(
  api: Api,
  datastoreId: string,
  text = 'some text',
  name = 'notes.txt',
): Promise<string> {
  const path = `/api/external/datastores/file-upload/${datastoreId}`;
  return textOf(await api.post(path).attach('file', Buffer.from(text), { filename: name }), 'id');
}

/** A field of a response's body. @throws with the whole response when it is not there */
export function textOf(response: Response, field: string): string {
  const body: unknown = response.body;
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined;
  if (typeof value === 'string') return value;
  throw new Error(`expected a text ${field}, found ${response.status} ${response.text}`);
}

/** Makes a datasource of a web site. @returns its id */
export async function makeSite(api: Api, datastoreId: string, config: object = {}): Promise<string> {
  const body = { type: 'web_site', name: 'site', config: { source_url: 'https://example.com/', ...config } };
  return textOf(await api.post('/api/datasources').send({ datastoreId, ...body }), 'id');
}
