import { createClient, type QuarryClient } from '@quarry/client';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import {
  METRICS_TOKEN,
  ROOT_KEY,
  startServers,
  startService,
  type ServiceProcess,
  type Variables,
} from '@quarry/system-tests';
import { setTimeout as wait } from 'node:timers/promises';
import { createSampleWords } from './sample-fragments.js';

export interface IngestionFigures {
  readonly workers: number;
  readonly documentsPerSecond: number;
}

const DOCUMENTS = 400;
const WARMING = 40;
const CONCURRENCY = 100;
/** Number of words per document, which result in about ten fragments. */
const WORDS_EACH = 3_000;
const POLL_MS = 50;

/**
 * Enqueues documents, and then starts all workers at the same time. Measures how many documents per second they index,
 * after a warm-up. The workers read and split the documents, and write them into Qdrant without embeddings.
 */
export async function measureIngestion(workers: number): Promise<IngestionFigures> {
  const servers = await startServers();
  const started: ServiceProcess[] = [];
  try {
    const ports = await Promise.all(Array.from({ length: workers + 1 }, findFreePort));
    const [gatewayPort = 0, ...workerPorts] = ports;
    const url = `http://127.0.0.1:${gatewayPort}`;
    const variables: Variables = {
      ...servers.variables,
      QUARRY_QUERY_URL: url,
      QUARRY_GATEWAY_URL: url,
      QUARRY_RATE_LIMIT: '0',
    };
    started.push(await startService('gateway', gatewayPort, variables));
    const client = createClient({ baseUrl: `${url}/api`, apiKey: ROOT_KEY });
    await enqueueDocuments(client);
    started.push(...(await Promise.all(workerPorts.map((port) => startService('ingestion-worker', port, variables)))));
    const begun = await waitUntilIndexed(workerPorts, WARMING);
    const ended = await waitUntilIndexed(workerPorts, DOCUMENTS);
    return { workers, documentsPerSecond: (ended.documents - begun.documents) / ((ended.at - begun.at) / 1_000) };
  } finally {
    await Promise.all(started.map((service) => service.stop()));
    await servers.stop();
  }
}

async function enqueueDocuments(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'scale' });
  for (let first = 0; first < DOCUMENTS; first += CONCURRENCY) {
    const documents = Array.from({ length: CONCURRENCY }, (_, index) => ({
      id: String(first + index),
      name: String(first + index),
      text: createSampleWords(first + index, WORDS_EACH),
    }));
    await client.upsertDocuments(id, documents);
  }
}

interface Progress {
  readonly documents: number;
  /** Time at which `documents` was read, in milliseconds of `performance.now()`. */
  readonly at: number;
}

/** Waits until the workers on these ports have indexed at least `wanted` documents together. */
async function waitUntilIndexed(ports: readonly number[], wanted: number): Promise<Progress> {
  for (;;) {
    const counts = await Promise.all(ports.map(countIndexedDocuments));
    const documents = counts.reduce((sum, count) => sum + count, 0);
    if (documents >= wanted) return { documents, at: performance.now() };
    await wait(POLL_MS);
  }
}

/** Returns the number of documents that the worker on a port has indexed, from the metrics of the worker. */
async function countIndexedDocuments(port: number): Promise<number> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const numbers = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  return Number(/^quarry_documents_indexed_total\S* (\d+)/m.exec(numbers)?.[1] ?? 0);
}
