import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';

interface StreamedQuestion {
  /** Path, with a slash at the end, of the folder `node_modules` in which fetch-event-source is installed. */
  readonly packages: string;
  /** The URL at which an agent answers questions. */
  readonly url: string;
  readonly apiKey: string;
  readonly query: string;
}

/**
 * Holds the content type of a stream. Each other field contains the data of all events with one event name,
 * concatenated and not parsed.
 */
interface ReceivedStream {
  readonly contentType: string;
  readonly answer: string;
  readonly response: string;
  readonly end: string;
}

/**
 * Streams an answer with fetch-event-source in a browser, on a page whose origin is not that of Quarry. The page is
 * served from this machine, because Chromium blocks requests of remote pages to loopback addresses.
 */
export async function streamAnswerInBrowser(
  executablePath: string,
  question: StreamedQuestion,
): Promise<ReceivedStream> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const server = createStreamingPageServer(question.packages).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // not a pipe
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction('globalThis.fetchEventSource !== undefined');
    return await page.evaluate(askQuestionInPage, question);
  } finally {
    await browser.close();
    server.close();
  }
}

const PAGE =
  '<script type="module">import { fetchEventSource } from "/lib/index"; globalThis.fetchEventSource = fetchEventSource;</script>';

/**
 * Creates a server for a page and for the modules of fetch-event-source. It adds the file extensions that the imports
 * between these modules omit.
 */
function createStreamingPageServer(packages: string): Server {
  return createServer((request, response) => {
    const name = /^\/lib\/(\w+)$/.exec(request.url ?? '')?.[1];
    response.setHeader('Content-Type', name === undefined ? 'text/html' : 'text/javascript');
    if (name === undefined) response.end(PAGE);
    else createReadStream(`${packages}@microsoft/fetch-event-source/lib/esm/${name}.js`).pipe(response);
  });
}

/** Asks the agent and collects the stream. The browser runs this function in the page, so it uses no imports. */
async function askQuestionInPage({ url, apiKey, query }: StreamedQuestion): Promise<ReceivedStream> {
  const { fetchEventSource } = globalThis as unknown as { readonly fetchEventSource: FetchEventSource }; // set by `PAGE`
  const joined: Record<string, string> = {};
  let contentType = '';
  await fetchEventSource(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ query, streaming: true }),
    onopen: async (response) => {
      contentType = response.headers.get('content-type') ?? '';
      return Promise.resolve();
    },
    onmessage: ({ event, data }) => {
      joined[event] = (joined[event] ?? '') + data;
    },
    onerror: (error) => {
      throw error;
    },
  });
  return {
    contentType,
    answer: joined['answer'] ?? '',
    response: joined['endpoint_response'] ?? '',
    end: joined[''] ?? '',
  };
}

/** Describes the function of the package fetch-event-source, with the options that the page uses. */
type FetchEventSource = (
  url: string,
  options: RequestInit & {
    readonly onopen: (response: Response) => Promise<void>;
    readonly onmessage: (message: { readonly event: string; readonly data: string }) => void;
    readonly onerror: (error: Error) => never;
  },
) => Promise<void>;
