import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createExampleListing, type Item } from '@quarry/example-listing-server';
import type { Variables } from '../quarry/stack.js';

export const EXTERNAL_SERVICES = ['site', 'shop', 'embeddings', 'model'] as const;
/** The name of an external server that Quarry calls. */
export type ExternalService = (typeof EXTERNAL_SERVICES)[number];

/**
 * Behaviour of an external server. `works`: it responds correctly. `hangs`: it accepts requests and never responds.
 * `cuts`: it closes the connection in the middle of the response. `garbage`: it responds with status 200 and unreadable
 * content. `fails`: it responds with an error status.
 */
export type Behaviour = 'works' | 'hangs' | 'cuts' | 'garbage' | 'fails';

/** The simulated external servers that Quarry calls, all at one address of this machine. */
export interface ExternalServers {
  readonly url: string;
  /** The environment variables with which Quarry calls these servers. */
  readonly variables: Variables;
  /**
   * Texts of the web pages, keyed by path. The root page of the site, `/site/`, is generated and links to all of them.
   */
  readonly pages: Map<string, string>;
  readonly items: Map<string, Item>;
  /** The bodies of the requests that the simulated model has received so far. */
  readonly prompts: readonly string[];
  /** Sets the behaviour of a server, and closes its hanging connections. */
  setBehaviour(service: ExternalService, behaviour: Behaviour): void;
  stop(): Promise<void>;
}

export const EMBEDDING = { model: 'constant', dimensions: 4, distance: 'cosine' } as const;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

export async function startExternalServers(): Promise<ExternalServers> {
  const behaviours = new Map<ExternalService, Behaviour>();
  const hanging = new Map<ServerResponse, ExternalService>();
  const [pages, items] = [new Map<string, string>(), new Map<string, Item>()];
  const prompts: string[] = [];
  const shop = createExampleListing(() => [...items.values()]);
  const answers: Readonly<Record<ExternalService, (request: IncomingMessage, body: string) => Answer>> = {
    site: (request) => createPageAnswer(pages, request),
    shop: () => ({ status: 200, headers: JSON_TYPE, body: '{"total_count":9,"items":[{"id":' }),
    embeddings: (_request, body) => createEmbeddingAnswer(body),
    model: (_request, body) => {
      prompts.push(body);
      return createModelAnswer();
    },
  };

  const server = createServer((request, response) => {
    const service = findServiceOfPath(request.url ?? '');
    const behaviour = behaviours.get(service) ?? 'works';
    if (behaviour === 'works' && service === 'shop') {
      shop(request, response);
      return;
    }
    void text(request)
      .then((body) => {
        if (behaviour === 'hangs') hanging.set(response, service);
        else sendAnswerOrFault(response, behaviour, answers[service](request, body));
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    variables: createExternalServerVariables(url),
    pages,
    items,
    prompts,
    setBehaviour(service, behaviour) {
      behaviours.set(service, behaviour);
      for (const [response, by] of hanging) {
        if (by !== service) continue;
        response.destroy();
        hanging.delete(response);
      }
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function createExternalServerVariables(url: string): Variables {
  return {
    QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
    QUARRY_CATALOG_ALLOW_LOOPBACK: 'true',
    QUARRY_CRAWLER_DELAY_MS: '0',
    QUARRY_EMBEDDING_BASE_URL: `${url}/v1`,
    QUARRY_MODEL_BASE_URL: `${url}/v1`,
    QUARRY_MODEL: 'constant',
  };
}

function findServiceOfPath(path: string): ExternalService {
  if (path.startsWith('/items')) return 'shop';
  if (path.startsWith('/v1/embeddings')) return 'embeddings';
  return path.startsWith('/v1/') ? 'model' : 'site';
}

function sendAnswerOrFault(
  response: ServerResponse,
  behaviour: Exclude<Behaviour, 'hangs'>,
  { status, headers, body }: Answer,
): void {
  if (behaviour === 'fails') {
    response.writeHead(500, { 'Content-Type': 'text/plain' }).end('out of order');
  } else if (behaviour === 'garbage') {
    response.writeHead(200, headers).end('\u0000{"choices": [{]} <<<');
  } else if (behaviour === 'cuts') {
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) + 1 });
    response.write(body.slice(0, body.length / 2), () => response.destroy());
  } else {
    response.writeHead(status, headers).end(body);
  }
}

function createPageAnswer(pages: ReadonlyMap<string, string>, { url: path = '', headers }: IncomingMessage): Answer {
  const page = path === '/site/' ? [...pages.keys()].map(formatHtmlLink).join(' ') : pages.get(path);
  if (page === undefined) return { status: 404, headers: HTML, body: 'There is no such page.' };
  const tag = `"${createHash('sha256').update(page).digest('base64url')}"`;
  if (headers['if-none-match'] === tag) return { status: 304, headers: { ETag: tag }, body: '' };
  const title = `Page ${path}`;
  const body = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${page}</p></main></body></html>`;
  return { status: 200, headers: { ...HTML, ETag: tag }, body };
}

function formatHtmlLink(path: string): string {
  return `<a href="${path}">The page at ${path}</a>`;
}

function createEmbeddingAnswer(body: string): Answer {
  const { input } = JSON.parse(body) as { readonly input: readonly string[] }; // the form of OpenAI's API
  const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0, 0, 0] }));
  return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ object: 'list', data }) };
}

function createModelAnswer(): Answer {
  const chunks = [
    { delta: { content: 'The sources ' }, finish_reason: null },
    { delta: { content: 'name it [1].' }, finish_reason: null },
    { delta: {}, finish_reason: 'stop' },
  ].map((choice) => ({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] }));
  const body = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body };
}
