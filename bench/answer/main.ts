import { parseArgs } from 'node:util';
import { readCpuSeconds } from '../quarry/cpu-seconds.js';
import { parseNumber } from '../quarry/parse-option.js';
import { startQuarry, runWithTemporaryFolder, type QuarryUnderTest } from '../quarry/start-quarry.js';
import { ingestDocuments } from '../retrieval/ingest.js';
import { createRandomCorpus } from '../search/corpus.js';
import { createReport, formatReportTable, type Report, type Row } from './report.js';
import { startFakeModel, type FakeModel, type Pace } from './start-fake-model.js';
import { runParallelStreams, type Source, type StreamTimes } from './streams.js';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    profile: { type: 'string' },
  },
});

const rounds = parseNumber('rounds', values.rounds);
const PACE: Pace = { firstMs: 200, everyMs: 20, tokens: 100 };
const CONCURRENCY = [1, 10, 100] as const;
const DOCUMENTS = 30;
/** Minimum number of streamed answers per measurement, because the times of a single stream vary too much. */
const MIN_STREAMS = 5;

const model = await startFakeModel(PACE);
try {
  const report = await runWithTemporaryFolder(async (folder) => measureAnswersOfModelAndQuarry(folder, model));
  console.log(values.json ? JSON.stringify(report, undefined, 2) : formatReportTable(report));
  process.exitCode = report.missed.length === 0 ? 0 : 1;
} finally {
  await model.stop();
}

/**
 * Measures streamed answers of the model itself, and of a Quarry that uses this model and stores its data in `folder`.
 */
async function measureAnswersOfModelAndQuarry(folder: string, { baseUrl }: FakeModel): Promise<Report> {
  const nodeOptions = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const variables = { QUARRY_MODEL_BASE_URL: baseUrl, QUARRY_MODEL: 'fake' };
  const quarry = await startQuarry({ folder, variables, nodeOptions });
  try {
    const quarrySource = await createAgentAndDescribeRequest(quarry);
    const modelSource: Source = {
      url: `${baseUrl}/chat/completions`,
      headers: {},
      body: { model: 'fake', stream: true, messages: [{ role: 'user', content: 'x' }] },
      mark: '"content"',
    };
    await runParallelStreams(quarrySource, { concurrency: 5, rounds: 2, streamMs: PACE.firstMs });
    const rows: Row[] = [];
    for (const concurrency of CONCURRENCY) {
      rows.push(await measureSourcesAlternately(quarry, modelSource, quarrySource, concurrency));
    }
    return createReport(PACE, rows);
  } finally {
    await quarry.stop();
  }
}

async function createAgentAndDescribeRequest({ client, baseUrl, apiKey }: QuarryUnderTest): Promise<Source> {
  const { documents, questions } = createRandomCorpus(DOCUMENTS);
  const datastoreId = await ingestDocuments(client, { name: 'bench', documents, queries: [] }, undefined);
  const { id } = await client.createAgent({ name: 'bench', datastoreIds: [datastoreId], restrictToKnowledge: false });
  return {
    url: `${baseUrl}/agents/${id}/query`,
    headers: { Authorization: `Bearer ${apiKey}` },
    body: { query: questions[0], streaming: true },
    mark: 'event: answer',
  };
}

/** Measures Quarry and the model alternately, so that other load on the machine affects both. */
async function measureSourcesAlternately(
  quarry: QuarryUnderTest,
  modelSource: Source,
  quarrySource: Source,
  concurrency: number,
): Promise<Row> {
  const model: StreamTimes[] = [];
  const answer: StreamTimes[] = [];
  let spent = 0;
  const load = {
    concurrency,
    rounds: Math.ceil(MIN_STREAMS / concurrency),
    streamMs: PACE.firstMs + PACE.tokens * PACE.everyMs,
  };
  for (let turn = 0; turn < rounds; turn += 1) {
    model.push(...(await runParallelStreams(modelSource, load)));
    const before = await readCpuSeconds(quarry.pid);
    answer.push(...(await runParallelStreams(quarrySource, load)));
    spent += (await readCpuSeconds(quarry.pid)) - before;
  }
  return { concurrency, model, answer, cpuSeconds: spent };
}
