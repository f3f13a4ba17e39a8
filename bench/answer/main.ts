import { parseArgs } from 'node:util';
import { cpuSeconds } from '../quarry/cpu-seconds.js';
import { startQuarry, withFolder, type QuarryUnderTest } from '../quarry/start-quarry.js';
import { ingest } from '../retrieval/ingest.js';
import { makeCorpus } from '../search/corpus.js';
import { reportOf, tableOf, type Report, type Row } from './report.js';
import { startFakeModel, type FakeModel, type Pace } from './start-fake-model.js';
import { runStreams, type Source, type StreamTimes } from './streams.js';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    profile: { type: 'string' },
  },
});

const PACE: Pace = { firstMs: 200, everyMs: 20, tokens: 100 };
const AT_ONCE = [1, 10, 100] as const;
const DOCUMENTS = 30;
/** One stream says little by itself. */
const LEAST_STREAMS = 5;

const model = await startFakeModel(PACE);
try {
  const report = await withFolder(async (folder) => measureIn(folder, model));
  console.log(values.json ? JSON.stringify(report, undefined, 2) : tableOf(report));
  process.exitCode = report.missed.length === 0 ? 0 : 1;
} finally {
  await model.stop();
}

async function measureIn(folder: string, { baseUrl }: FakeModel): Promise<Report> {
  const nodeOptions = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const variables = { QUARRY_MODEL_BASE_URL: baseUrl, QUARRY_MODEL: 'fake' };
  const quarry = await startQuarry({ folder, variables, nodeOptions });
  try {
    const throughQuarry = await prepare(quarry);
    const straight: Source = {
      url: `${baseUrl}/chat/completions`,
      headers: {},
      body: { model: 'fake', stream: true, messages: [{ role: 'user', content: 'x' }] },
      mark: '"content"',
    };
    await runStreams(throughQuarry, { atOnce: 5, rounds: 2, lastsMs: PACE.firstMs });
    const rows: Row[] = [];
    for (const atOnce of AT_ONCE) {
      rows.push(await measure(quarry, straight, throughQuarry, atOnce));
    }
    return reportOf(PACE, rows);
  } finally {
    await quarry.stop();
  }
}

async function prepare({ client, baseUrl, apiKey }: QuarryUnderTest): Promise<Source> {
  const { documents, questions } = makeCorpus(DOCUMENTS);
  const datastoreId = await ingest(client, { name: 'bench', documents, queries: [] }, undefined);
  const { id } = await client.createAgent({ name: 'bench', datastoreIds: [datastoreId], restrictToKnowledge: false });
  return {
    url: `${baseUrl}/agents/${id}/query`,
    headers: { Authorization: `Bearer ${apiKey}` },
    body: { query: questions[0], streaming: true },
    mark: 'event: answer',
  };
}

/** Both in turn, so that what else the machine does meets both. */
async function measure(quarry: QuarryUnderTest, straight: Source, through: Source, atOnce: number): Promise<Row> {
  const model: StreamTimes[] = [];
  const answer: StreamTimes[] = [];
  let spent = 0;
  const load = {
    atOnce,
    rounds: Math.ceil(LEAST_STREAMS / atOnce),
    lastsMs: PACE.firstMs + PACE.tokens * PACE.everyMs,
  };
  for (let turn = 0; turn < Number(values.rounds); turn += 1) {
    model.push(...(await runStreams(straight, load)));
    const before = await cpuSeconds(quarry.pid);
    answer.push(...(await runStreams(through, load)));
    spent += (await cpuSeconds(quarry.pid)) - before;
  }
  return { atOnce, model, answer, cpuSeconds: spent };
}
