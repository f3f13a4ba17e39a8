import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readCpuSeconds } from '../quarry/cpu-seconds.js';
import { parseNumber } from '../quarry/parse-option.js';
import { parseStoreName, runWithInstallation, type Installation } from '../quarry/run-with-installation.js';
import { ingestDocuments } from '../retrieval/ingest.js';
import { createRandomCorpus } from './corpus.js';
import { createReport, formatReportTable, type Report, type Row } from './report.js';
import { runLoad, type Load } from './run-load.js';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    documents: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
    store: { type: 'string', default: 'lancedb' },
    profile: { type: 'string' },
  },
});

const CONCURRENCY = [1, 8] as const;
const TOP_K = 5;
/** Number of candidate fragments that the query service requests from the fragment store for five results. */
const CANDIDATES = 50;

const numberOfDocuments = parseNumber('documents', values.documents);
const rounds = parseNumber('rounds', values.rounds);
const report = await runWithInstallation(parseStoreName(values.store), measureSearch);
console.log(values.json ? JSON.stringify(report, undefined, 2) : formatReportTable(report));
process.exitCode = report.missed.length === 0 ? 0 : 1;

async function measureSearch(installation: Installation): Promise<Report> {
  const { documents, questions } = createRandomCorpus(numberOfDocuments);
  const nodeOptions = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const quarry = await installation.start({ nodeOptions });
  try {
    const datastoreId = await ingestDocuments(quarry.client, { name: 'bench', documents, queries: [] }, undefined);
    const { organization } = await quarry.client.getMe();
    const scope = { organizationId: organization.id, datastoreIds: [datastoreId] };
    const store = await installation.openStore();
    const searchStore = async (question: string): Promise<unknown> =>
      store.searchLexical({ embedding: null }, scope, { text: question }, CANDIDATES);
    const post = createPostSender(`${quarry.baseUrl}/datastores/${datastoreId}/query`, quarry.apiKey);
    const storeSide = { ask: searchStore, pids: [process.pid, ...installation.storePids] };
    const apiSide = {
      ask: async (query: string): Promise<unknown> => post({ query, topK: TOP_K }),
      pids: [...quarry.pids, ...installation.storePids],
    };
    try {
      const rows: Row[] = [];
      for (const concurrency of CONCURRENCY)
        rows.push(await measureSidesAlternately(questions, concurrency, storeSide, apiSide));
      return createReport(documents.length, rows);
    } finally {
      await store.close();
    }
  } finally {
    await quarry.stop();
  }
}

interface Side {
  readonly ask: (question: string) => Promise<unknown>;
  /** Ids of the processes whose processor time is measured while `ask` runs. */
  readonly pids: readonly number[];
}

/**
 * Sends all questions alternately to the fragment store and to the API. The first round is a warm-up and is not
 * measured.
 */
async function measureSidesAlternately(
  questions: readonly string[],
  concurrency: number,
  store: Side,
  api: Side,
): Promise<Row> {
  const loads: { readonly store: Load[]; readonly api: Load[] } = { store: [], api: [] };
  const cpuSeconds = { store: 0, api: 0 };
  const measureSide = async (name: keyof typeof loads, { ask, pids }: Side): Promise<void> => {
    const before = await sumCpuSeconds(pids);
    loads[name].push(await runLoad(questions, concurrency, ask));
    cpuSeconds[name] += (await sumCpuSeconds(pids)) - before;
  };
  for (const { ask } of [store, api]) await runLoad(questions, concurrency, ask);
  for (let round = 0; round < rounds; round += 1) {
    await measureSide('store', store);
    await measureSide('api', api);
  }
  return { concurrency, ...loads, cpuSeconds };
}

async function sumCpuSeconds(pids: readonly number[]): Promise<number> {
  const seconds = await Promise.all(pids.map(readCpuSeconds));
  return seconds.reduce((sum, one) => sum + one, 0);
}

/**
 * Creates a function that sends a POST request over persistent connections, so that the client adds little to the
 * measurement.
 */
function createPostSender(url: string, apiKey: string): (body: object) => Promise<unknown> {
  const agent = new Agent({ keepAlive: true });
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return async (body) => {
    const request = httpRequest(url, { method: 'POST', agent, headers });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answer = await json(response);
    if (response.statusCode !== 200)
      throw new Error(`expected the status 200 of ${url}, found ${response.statusCode}: ${JSON.stringify(answer)}`);
    return answer;
  };
}
