import type { Response } from 'supertest';
import type { Api } from './start-test-gateway.js';

/** Creates a datastore through the API. @returns the id of the datastore */
export async function createDatastore(api: Api, body: object = {}): Promise<string> {
  return getStringField(await api.post('/api/datastores').send({ name: 'manuals', ...body }), 'id');
}

/** Creates an agent through the API. @returns the id of the agent */
export async function createAgent(api: Api, body: object = {}): Promise<string> {
  return getStringField(await api.post('/api/agents').send({ name: 'helper', datastoreIds: [], ...body }), 'id');
}

/** Uploads a text file through the API. @returns the id of the new datasource */
export async function uploadText(
  api: Api,
  datastoreId: string,
  text = 'some text',
  name = 'notes.txt',
): Promise<string> {
  const path = `/api/external/datastores/file-upload/${datastoreId}`;
  return getStringField(await api.post(path).attach('file', Buffer.from(text), { filename: name }), 'id');
}

/** Returns a string field of a response body. @throws with the whole response if the field is missing */
export function getStringField(response: Response, field: string): string {
  const body: unknown = response.body;
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined;
  if (typeof value === 'string') return value;
  throw new Error(`expected a response whose field ${field} is a string, found ${response.status} ${response.text}`);
}

/** Creates a datasource of the type web_site through the API. @returns the id of the datasource */
export async function createSite(api: Api, datastoreId: string, config: object = {}): Promise<string> {
  const body = { type: 'web_site', name: 'site', config: { source_url: 'https://example.com/', ...config } };
  return getStringField(await api.post('/api/datasources').send({ datastoreId, ...body }), 'id');
}
