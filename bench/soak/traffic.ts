import { setTimeout as wait } from 'node:timers/promises';
import { EMBEDDING } from '../ingest/constant-provider.js';
import type { QuarryUnderTest } from '../quarry/start-quarry.js';
import { createRandomCorpus } from '../search/corpus.js';
import { startExternalSources, type Sources } from './start-external-sources.js';

/** Number of successful requests, keyed by kind, and number of failed requests, keyed by kind and error message. */
export type Counts = Record<string, number>;

export interface Plan {
  /** Total number of documents that are upserted, evenly distributed over the `minutes`. */
  readonly documents: number;
  readonly minutes: number;
}

interface Place {
  readonly client: QuarryUnderTest['client'];
  readonly datastoreId: string;
  readonly agentId: string;
}

const DOCUMENTS_PER_UPSERT = 20;
/** Intervals between two requests of the same kind, in milliseconds, keyed by kind. */
const INTERVALS = {
  upload: 5_000,
  search: 1_000,
  question: 5_000,
  abandonedQuestion: 20_000,
  page: 60_000,
  listing: 60_000,
  check: 10_000,
};

/**
 * Sends mixed traffic to Quarry until the planned time is over: upserts, uploads, deletions, searches, questions,
 * crawls of pages, and syncs of a changing item listing. Some clients disconnect while their answer is streamed. One
 * upsert in four replaces earlier documents.
 */
export async function sendMixedTraffic(quarry: QuarryUnderTest, { documents, minutes }: Plan): Promise<Counts> {
  const { client } = quarry;
  const { id: datastoreId } = await client.createDatastore({ name: 'soak', embedding: EMBEDDING });
  const { id: agentId } = await client.createAgent({ name: 'soak', datastoreIds: [datastoreId] });
  const place = { client, datastoreId, agentId };
  const sources = await startExternalSources();
  const listingId = await createListingDatasource(place, sources);
  const ends = performance.now() + minutes * 60_000;
  const counts: Counts = {};
  const { questions } = createRandomCorpus(1);
  let turn = 0;
  const drawQuestion = (): string => questions[(turn += 1) % questions.length] ?? '';
  const repeat = async (
    kind: string,
    intervalMs: number,
    work: (number: number) => Promise<unknown>,
  ): Promise<void> => {
    for (let number = 0; performance.now() < ends; number += 1) {
      const due = performance.now() + intervalMs;
      const outcome = await work(number).then(
        () => kind,
        (error: unknown) => `${kind} failed: ${error instanceof Error ? error.message : String(error)}`,
      );
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      await wait(Math.max(0, due - performance.now()));
    }
  };
  const upsertMs = (minutes * 60_000 * DOCUMENTS_PER_UPSERT) / documents;
  await Promise.all([
    repeat('upsert', upsertMs, async (number) => upsertDocumentBatch(place, number)),
    repeat('upload', INTERVALS.upload, async (number) => uploadAndDeleteFile(place, number)),
    repeat('search', INTERVALS.search, async () => client.queryDatastore(datastoreId, { query: drawQuestion() })),
    repeat('question', INTERVALS.question, async () => askAgent(place, drawQuestion(), Infinity)),
    repeat('abandoned question', INTERVALS.abandonedQuestion, async () => askAgent(place, drawQuestion(), 1)),
    repeat('page', INTERVALS.page, async (number) => crawlAndDeletePage(place, `${sources.url}/page-${number}`)),
    repeat('listing', INTERVALS.listing, async () => syncListing(place, listingId, sources)),
    repeat('status check', INTERVALS.check, async () => client.listDatasources({ datastoreId, limit: 100 })),
  ]);
  sources.stop();
  return counts;
}

/** Upserts a batch of documents. Every fourth batch replaces an earlier batch. */
async function upsertDocumentBatch({ client, datastoreId }: Place, number: number): Promise<void> {
  const isRepeat = number % 4 === 3;
  const batch = isRepeat ? Math.floor(number / 2) : number;
  const documents = Array.from({ length: DOCUMENTS_PER_UPSERT }, (_, index) => ({
    id: `${batch}-${index}`,
    text: `Version ${number} of stone ${batch}-${index}. ${'It is one of many stones in the quarry. '.repeat(20)}`,
  }));
  await client.upsertDocuments(datastoreId, documents);
}

async function uploadAndDeleteFile({ client, datastoreId }: Place, number: number): Promise<void> {
  const lines = Array.from({ length: 500 }, (_, line) => `| ${number} | ${line} | a row of a table |`);
  const file = new File([lines.join('\n')], `file-${number}.md`, { type: 'text/markdown' });
  const { id } = await client.uploadFile(datastoreId, file);
  await client.untilSettled(id);
  if (number % 2 === 0) await client.deleteDatasource(id);
}

/** Streams an answer, and disconnects after `maxEvents` events if the answer has not ended before. */
async function askAgent({ client, agentId }: Place, query: string, maxEvents: number): Promise<void> {
  const events = client.streamAgent(agentId, { query });
  for (let read = 0; read < maxEvents; read += 1) if ((await events.next()).done === true) return;
  await events.return(undefined);
}

async function crawlAndDeletePage({ client, datastoreId }: Place, url: string): Promise<void> {
  const { id } = await client.createDatasource({ datastoreId, type: 'web_page', config: { source_url: url } });
  await client.untilSettled(id);
  await client.deleteDatasource(id);
}

async function createListingDatasource({ client, datastoreId }: Place, sources: Sources): Promise<string> {
  const config = { url: `${sources.url}/items` };
  const { id } = await client.createDatasource({ datastoreId, type: 'item_listing', name: 'listing', config });
  return id;
}

/**
 * Waits until the previous run of the listing has ended, edits some items, and starts the next run.
 *
 * @throws Error if the previous run failed
 */
async function syncListing({ client }: Place, id: string, sources: Sources): Promise<void> {
  const { status } = await client.untilSettled(id);
  if (status !== 'synched') throw new Error(`expected the previous run of the listing to be synched, found ${status}`);
  sources.editItems();
  await client.syncDatasource(id);
}
