import { createParser } from 'eventsource-parser';
import { expect, vi } from 'vitest';
import { ROOT_KEY } from './quarry-process.js';

const SETTLED = ['synched', 'error', 'usage_limit_reached'];
const SETTLE_DEADLINE_MS = 120_000;

/** What the tests read of a datasource. */
export interface Datasource {
  readonly id: string;
  readonly status: string;
  readonly name: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly run: {
    readonly stage: string | null;
    readonly progress: { readonly done: number; readonly total: number | null; readonly unit: string } | null;
    readonly counters: Readonly<Record<string, number>>;
    readonly note: string | null;
  } | null;
  readonly failureReasons: readonly { readonly code: string; readonly message: string }[];
}

export interface DatasourceDocument {
  readonly documentKey: string;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

export interface SearchResult {
  readonly text: string;
  readonly score: number;
  readonly source: string | null;
  readonly datasource_id: string;
}

export interface Answer {
  readonly answer: string;
  readonly conversationId: string;
  readonly visitorId: string;
  readonly sources: readonly {
    readonly datasource_name: string;
    readonly text: string;
    readonly page: number | null;
    readonly cited?: boolean;
  }[];
}

export interface StreamedAnswer {
  /** The `answer` fragments, in order. */
  readonly fragments: readonly string[];
  readonly response: Answer;
  /** Data of the last event. */
  readonly end: string;
}

/** A customer's program: plain HTTP with a key. */
export class QuarryClient {
  /** @param fetching how requests are sent */
  constructor(
    private readonly baseUrl: string,
    private readonly fetching: typeof fetch = fetch,
  ) {}

  /** @param more such as how its documents are split and embedded */
  async createDatastore(name: string, more: object = {}): Promise<string> {
    return (await this.post<{ id: string }>('/datastores', { name, ...more }, 201)).id;
  }

  async createAgent(name: string, datastoreIds: readonly string[]): Promise<string> {
    return (await this.post<{ id: string }>('/agents', { name, datastoreIds }, 201)).id;
  }

  async upload(datastoreId: string, file: { name: string; type: string; content: Uint8Array }): Promise<Datasource> {
    const form = new FormData();
    form.set('type', 'file');
    form.set('datastoreId', datastoreId);
    form.set('file', new File([Buffer.from(file.content)], file.name, { type: file.type }));
    const response = await this.send('/datasources', { method: 'POST', body: form });
    return (await expectStatus(response, 201)) as Datasource;
  }

  async createByAddress(datastoreId: string, type: string, config: object): Promise<string> {
    return (await this.post<{ id: string }>('/datasources', { datastoreId, type, name: type, config }, 201)).id;
  }

  async upsert(datastoreId: string, documents: readonly object[]): Promise<readonly string[]> {
    return (await this.post<{ ids: string[] }>(`/datastores/upsert/${datastoreId}`, { documents }, 200)).ids;
  }

  async datasource(id: string): Promise<Datasource> {
    return (await expectStatus(await this.send(`/datasources/${id}`), 200)) as Datasource;
  }

  /** Waits until the datasource has any of the statuses. */
  async waitFor(id: string, statuses: readonly string[] = SETTLED): Promise<Datasource> {
    return vi.waitUntil(
      async () => {
        const datasource = await this.datasource(id);
        return statuses.includes(datasource.status) ? datasource : undefined;
      },
      { timeout: SETTLE_DEADLINE_MS, interval: 50 },
    );
  }

  /** Starts a run, and waits for its end. @param query such as `?full=true` */
  async sync(id: string, query = ''): Promise<Datasource> {
    await this.post(`/datasources/${id}/sync${query}`, {}, 200);
    return this.waitFor(id);
  }

  async cancel(id: string): Promise<void> {
    await this.post(`/datasources/${id}/cancel`, {}, 200);
  }

  async documents(id: string, query = ''): Promise<readonly DatasourceDocument[]> {
    const page = await expectStatus(await this.send(`/datasources/${id}/documents${query}`), 200);
    return (page as { items: DatasourceDocument[] }).items; // checked by the tests that read it
  }

  /** @param more such as filters */
  async search(datastoreId: string, query: string, more: object = {}): Promise<readonly SearchResult[]> {
    return this.post(`/datastores/${datastoreId}/query`, { query, ...more }, 200);
  }

  async ask(agentId: string, body: object): Promise<Answer> {
    return this.post(`/agents/${agentId}/query`, body, 200);
  }

  /** A stream whose headers have come. */
  async openStream(agentId: string, body: object, signal?: AbortSignal): Promise<Response> {
    const request = json({ ...body, streaming: true });
    return this.send(`/agents/${agentId}/query`, signal === undefined ? request : { ...request, signal });
  }

  /** The conversation that was gone on with last. */
  async lastConversation(agentId: string): Promise<{ readonly id: string }> {
    const page = await expectStatus(await this.send(`/conversations?agentId=${agentId}&limit=1`), 200);
    const [last] = (page as { items: { id: string }[] }).items; // checked by the tests that read it
    if (last === undefined) throw new Error(`agent ${agentId} has no conversation`);
    return last;
  }

  /** What was said in it, oldest first. */
  async lastMessages(agentId: string): Promise<readonly unknown[]> {
    const { id } = await this.lastConversation(agentId);
    const page = await expectStatus(await this.send(`/conversations/${id}/messages`), 200);
    return (page as { items: unknown[] }).items;
  }

  async stream(agentId: string, body: object): Promise<StreamedAnswer> {
    const response = await this.openStream(agentId, body);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events: { event?: string | undefined; data: string }[] = [];
    const parser = createParser({ onEvent: (event) => events.push(event) });
    parser.feed(await response.text());
    const dataOf = (name: string) => events.filter((event) => event.event === name).map((event) => event.data);
    const end = events.at(-1)?.data ?? '';
    const said = dataOf('endpoint_response').join('');
    if (said === '') throw new Error(`the stream ended without a response, with ${JSON.stringify(end)}`);
    return {
      fragments: dataOf('answer'),
      response: JSON.parse(said) as Answer, // checked by the tests that read it
      end,
    };
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${ROOT_KEY}`);
    return this.fetching(`${this.baseUrl}${path}`, { ...init, headers });
  }

  private async post<T>(path: string, body: object, status: number): Promise<T> {
    return (await expectStatus(await this.send(path, json(body)), status)) as T; // checked by the tests that read it
  }
}

function json(body: object): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

async function expectStatus(response: Response, status: number): Promise<unknown> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status });
  return JSON.parse(text);
}
