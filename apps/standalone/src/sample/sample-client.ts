import { setTimeout as wait } from 'node:timers/promises';
import type { DocumentationFile } from './documentation.js';

const PENDING = ['unsynched', 'pending', 'running'];
const POLL_MS = 100;
const SETTLE_DEADLINE_MS = 60_000;

/** Calls the operations of the public API that create the sample datastore and agent. */
export class SampleClient {
  readonly #apiUrl: string;
  readonly #key: string;

  constructor(apiUrl: string, key: string) {
    this.#apiUrl = apiUrl;
    this.#key = key;
  }

  /** Creates a datastore. @returns the id of the datastore */
  async createDatastore(name: string): Promise<string> {
    return this.#getCreatedId(await this.#callApi('/datastores', buildJsonRequest({ name })));
  }

  /** Creates an agent. @returns the id of the agent */
  async createAgent(name: string, datastoreId: string): Promise<string> {
    return this.#getCreatedId(await this.#callApi('/agents', buildJsonRequest({ name, datastoreIds: [datastoreId] })));
  }

  /** Uploads a file. @returns the id of the new datasource */
  async uploadFile(datastoreId: string, { name, content }: DocumentationFile): Promise<string> {
    const form = new FormData();
    form.set('type', 'file');
    form.set('datastoreId', datastoreId);
    form.set('file', new File([content], name, { type: 'text/markdown' }));
    return this.#getCreatedId(await this.#callApi('/datasources', { method: 'POST', body: form }));
  }

  /** Waits until the run of a datasource has ended, successfully or not. @throws Error after a minute */
  async waitUntilSettled(datasourceId: string): Promise<void> {
    const deadline = Date.now() + SETTLE_DEADLINE_MS;
    for (;;) {
      const { status } = (await this.#callApi(`/datasources/${datasourceId}`)) as { status: string }; // our own API
      if (!PENDING.includes(status)) return;
      if (Date.now() >= deadline)
        throw new Error(
          `expected the run of datasource ${datasourceId} to end within ${SETTLE_DEADLINE_MS} ms, found the status ${status}`,
        );
      await wait(POLL_MS);
    }
  }

  #getCreatedId(created: unknown): string {
    return (created as { id: string }).id; // our own API
  }

  async #callApi(path: string, init: RequestInit = {}): Promise<unknown> {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${this.#key}`);
    const response = await fetch(`${this.#apiUrl}${path}`, { ...init, headers });
    const body = await response.text();
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path} responded with ${response.status}: ${body}`);
    return JSON.parse(body);
  }
}

function buildJsonRequest(body: object): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
