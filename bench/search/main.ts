import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { openLanceDbFragmentStore } from '@quarry/fragment-store-lancedb';
import { createLog } from '@quarry/service-kit';
import { readCpuSeconds } from '../quarry/cpu-seconds.js';
import { startQuarry, withFolder } from '../quarry/start-quarry.js';
import { ingestDocuments } from '../retrieval/ingest.js';
import { makeCorpus } from './corpus.js';
import { createReport, formatTable, type Report, type Row } from './report.js';
import { runLoad, type Load } from './run-load.js';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    documents: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
    profile: { type: 'string' },
  },
});

const CONCURRENCY = [1, 8] as const;
const TOP_K = 5;
/** The number of candidates that the query service requests from the store for five results. */
const CANDIDATES = 50;

const report = await withFolder(measureIn);
console.log(values.json ? JSON.stringify(report, undefined, 2) : formatTable(report));
process.exitCode = report.missed.length === 0 ? 0 : 1;

async function measureIn(folder: string): Promise<Report> {
  const { documents, questions } = makeCorpus(Number(values.documents));
  const nodeOptions = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const quarry = await startQuarry({ folder, nodeOptions });
  const log = createLog('bench', 'silent');
  const store = await openLanceDbFragmentStore({ directory: join(folder, 'fragments'), log });
  try {
    const datastoreId = await ingestDocuments(quarry.client, { name: 'bench', documents, queries: [] }, undefined);
    const { organization } = await quarry.client.getMe();
    const scope = { organizationId: organization.id, datastoreIds: [datastoreId] };
    const searchStore = async (question: string): Promise<unknown> =>
      store.searchLexical({ embedding: null }, scope, question, CANDIDATES);
    const post = createPoster(`${quarry.baseUrl}/datastores/${datastoreId}/query`, quarry.apiKey);
    const searchThroughApi = async (query: string): Promise<unknown> => post({ query, topK: TOP_K });
    const rows: Row[] = [];
    for (const concurrency of CONCURRENCY) {
      await runLoad(questions, concurrency, searchStore);
      await runLoad(questions, concurrency, searchThroughApi);
      const [ofStore, ofApi]: [Load[], Load[]] = [[], []];
      const cpuSpent = { store: 0, api: 0 };
      for (let round = 0; round < Number(values.rounds); round += 1) {
        const before = await readCpuSeconds(process.pid);
        ofStore.push(await runLoad(questions, concurrency, searchStore));
        cpuSpent.store += (await readCpuSeconds(process.pid)) - before;
        const beforeApi = await readCpuSeconds(quarry.pid);
        ofApi.push(await runLoad(questions, concurrency, searchThroughApi));
        cpuSpent.api += (await readCpuSeconds(quarry.pid)) - beforeApi;
      }
      rows.push({ concurrency, store: ofStore, api: ofApi, cpuSeconds: cpuSpent });
    }
    return createReport(documents.length, rows);
  } finally {
    await store.close();
    await quarry.stop();
  }
}

/** Sends requests over persistent connections, so that the client adds little to the measurement. */
function createPoster(url: string, apiKey: string): (body: object) => Promise<unknown> {
  const agent = new Agent({ keepAlive: true });
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return async (body) => {
    const request = httpRequest(url, { method: 'POST', agent, headers });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answer = await json(response);
    if (response.statusCode !== 200) throw new Error(`expected status 200, found ${JSON.stringify(answer)}`);
    return answer;
  };
}
