import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  IndexedVersionsRequest,
  RecordDocumentsRequest,
  RUN_GATEWAY_PATHS,
  RunRef,
  RunStatesRequest,
} from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { createCountingGateway } from './counting-gateway.js';

/**
 * Program `node versions-gateway.js`: runs a simulated gateway in its own process, so that the memory of catalog-sync
 * excludes the versions of the documents. It sends its URL to the parent process. It answers each message with the
 * number of documents that were recorded for indexing since the last message.
 */

const gateway = createCountingGateway();

const HANDLERS: Readonly<Record<string, (body: unknown) => Promise<object>>> = {
  [RUN_GATEWAY_PATHS.runStates]: async (body) => ({
    states: await gateway.readRunStates(parse(RunStatesRequest, body, 'ignore').runs),
  }),
  [RUN_GATEWAY_PATHS.openRun]: async (body) => gateway.openRun(parse(RunRef, body, 'ignore')),
  [RUN_GATEWAY_PATHS.indexedVersions]: async (body) => ({
    versions: await gateway.readIndexedVersions(parse(IndexedVersionsRequest, body, 'ignore')),
  }),
  [RUN_GATEWAY_PATHS.recordDocuments]: async (body) =>
    gateway.recordDocuments(parse(RecordDocumentsRequest, body, 'ignore')),
};

const server = createServer((request, response) => {
  void handleRunRequest(request).then((body) => response.end(JSON.stringify(body)));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  process.send?.(`http://127.0.0.1:${port}`);
});

process.on('message', () => {
  process.send?.(gateway.countNewDocuments());
});

async function handleRunRequest(request: IncomingMessage): Promise<object> {
  const handle = HANDLERS[request.url ?? ''];
  if (handle === undefined)
    throw new Error(`expected the path of an internal gateway route for runs, found ${request.url ?? ''}`);
  return handle(await json(request));
}
