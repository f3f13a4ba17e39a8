import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createExampleListing } from '@quarry/example-listing-server';
import { makeProducts } from '@quarry/example-listing-server/products';

/** Controls a server on this machine that simulates a server of a customer, such as a site or a webhook receiver. */
export interface ExternalServer {
  /** Base URL, such as `http://127.0.0.1:43125`. */
  readonly url: string;
  /** Returns the number of open connections. */
  countConnections(): number;
  close(): Promise<void>;
}

/** Interval between two bytes of a dripping server, in milliseconds. */
const DRIP_MS = 1_000;
const HEADERS = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/**
 * Starts a server that sends its responses slowly, one byte per second, without end.
 *
 * @param first part of the response that is sent immediately: the headers, or nothing
 */
export async function startDrippingServer(first: '' | 'headers'): Promise<ExternalServer> {
  const server = createTcpServer((socket) => {
    socket.once('data', () => {
      const [atOnce, dripped] = first === 'headers' ? [`${HEADERS}Connection: close\r\n\r\n`, '{'] : ['', HEADERS];
      socket.write(atOnce);
      dripText(socket, dripped);
    });
  });
  return listenLocally(server);
}

/** Sends a text and then spaces, one character per `DRIP_MS`, until the connection is closed. */
function dripText(socket: Socket, sent: string): void {
  let position = 0;
  const dripping = setInterval(() => {
    socket.write(sent[position] ?? ' ');
    position += 1;
  }, DRIP_MS);
  socket.once('close', () => {
    clearInterval(dripping);
  });
}

/**
 * Starts a site that answers each request after a delay, including requests for robots.txt. Each page links to further
 * pages, without end.
 */
export async function startSlowSite(delayMs: number): Promise<ExternalServer> {
  return startHttpServer((request, response) => {
    const answer = setTimeout(() => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(renderPage(request.url ?? '/'));
    }, delayMs);
    response.once('close', () => {
      clearTimeout(answer);
    });
  });
}

/** Starts a site that answers without a delay. */
export async function startFastSite(): Promise<ExternalServer> {
  return startSlowSite(0);
}

/** Starts a listing of a few products that answers without a delay. */
export async function startFastListing(): Promise<ExternalServer> {
  const products = makeProducts(20);
  return startHttpServer(createExampleListing(() => products));
}

/** Starts a webhook receiver that accepts requests and never responds. */
export async function startHangingReceiver(): Promise<ExternalServer> {
  return startHttpServer((request) => request.resume());
}

/** A webhook receiver that accepts each event. */
export interface Receiver extends ExternalServer {
  /** The bodies of the received events. */
  readonly bodies: readonly string[];
}

export async function startFastReceiver(): Promise<Receiver> {
  const bodies: string[] = [];
  const server = await startHttpServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(200).end();
    });
  });
  return { ...server, bodies };
}

const LINKS = 10;

function renderPage(path: string): string {
  const links = Array.from({ length: LINKS }, (_, at) => `<a href="${path.replace(/\/?$/, `/${at}`)}">Page ${at}</a>`);
  return `<!doctype html><title>${path}</title><main><h1>${path}</h1><p>The page ${path} explains when the shop of this
    village opens, and which goods it sells on which day of the week.</p>${links.join(' ')}</main>`;
}

async function startHttpServer(listener: RequestListener): Promise<ExternalServer> {
  return listenLocally(createHttpServer(listener));
}

async function listenLocally(server: Server): Promise<ExternalServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // A client that gives up resets the connection, which is no error of this server.
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    url: `http://127.0.0.1:${port}`,
    countConnections: () => sockets.size,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
