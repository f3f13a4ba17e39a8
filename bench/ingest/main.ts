import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseNumber } from '../quarry/parse-option.js';
import { startQuarry, runWithTemporaryFolder } from '../quarry/start-quarry.js';
import { runBaseline } from '../baselines/run-baseline.js';
import { startConstantProvider } from './constant-provider.js';
import { comparePrograms } from './compare-programs.js';
import { copyFilesToCorpus } from './corpus.js';
import type { IngestedCorpus } from './ingested-corpus.js';
import { computeMemoryGrowth, ingestAndSampleMemory } from './ingest-and-sample-memory.js';
import { ingestInPlainLoop } from './plain-loop.js';
import { ingestWithQuarry } from './ingest-with-quarry.js';

/**
 * Minimum ratio of Quarry's documents per second to those of each other program, keyed by program. LangChain's store in
 * memory has no minimum, because it stores nothing durably.
 */
const MIN_RATIOS: Readonly<Record<string, number>> = { 'plain loop': 1.5, 'LangChain, lancedb': 1 };
const MAX_GROWTH = 1.2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    documents: { type: 'string', default: '200' },
    /** Number of rounds. Each round runs all programs, because the load of the machine varies. */
    rounds: { type: 'string', default: '3' },
    /** Number of documents for the memory measurement; 0 skips it. */
    memory: { type: 'string', default: '10000' },
    'cpu-prof': { type: 'string' },
  },
});
const folder = resolve(process.env['INIT_CWD'] ?? '.', positionals[0] ?? '../shared/eval/files');
const numberOfDocuments = parseNumber('documents', values.documents);
const rounds = parseNumber('rounds', values.rounds);
const memoryDocuments = parseNumber('memory', values.memory);
const provider = await startConstantProvider();
const report = await runWithTemporaryFolder(measureIngestRounds);
provider.stop();
console.log(values.json ? JSON.stringify(report, undefined, 2) : formatReportLines(report).join('\n'));
process.exitCode = report.missed.length === 0 ? 0 : 1;

async function measureIngestRounds(scratch: string) {
  const files = join(scratch, 'files');
  mkdirSync(files);
  const corpus = copyFilesToCorpus(folder, files, numberOfDocuments);
  const profile = values['cpu-prof'];
  const nodeOptions = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const variables = { QUARRY_EMBEDDING_BASE_URL: provider.baseUrl };
  const quarry = await startQuarry({ folder: join(scratch, 'quarry'), variables, nodeOptions });
  const ways: IngestedCorpus[] = [];
  let samples: readonly number[] = [];
  try {
    // These documents are not measured. They make Quarry start the processes that it starts on demand.
    await ingestWithQuarry(quarry.client, corpus.slice(0, 10), provider);
    for (let round = 0; round < rounds; round += 1) {
      ways.push(await ingestWithQuarry(quarry.client, corpus, provider));
      ways.push(await ingestInPlainLoop(corpus, join(scratch, String(round)), provider));
      for (const store of ['memory', 'lancedb']) {
        const found = (await runBaseline('langchain-ingest.mjs', [store, files])) as Omit<IngestedCorpus, 'way'>; // the comparison program prints this form
        ways.push({ ...found, way: `LangChain, ${store}` });
      }
    }
    if (memoryDocuments > 0) samples = await ingestAndSampleMemory(quarry.client, quarry.pid, memoryDocuments);
  } finally {
    await quarry.stop();
  }
  return createReport(ways, samples);
}

function createReport(ways: readonly IngestedCorpus[], samples: readonly number[]) {
  const rows = comparePrograms(ways);
  const memoryGrowth = samples.length === 0 ? undefined : computeMemoryGrowth(samples);
  const missed = rows
    .filter(({ way, documentRatio }) => documentRatio < (MIN_RATIOS[way] ?? 0))
    .map(
      ({ way, documentRatio }) =>
        `${MIN_RATIOS[way]} of the documents per second of ${way}, found ${documentRatio.toFixed(2)}`,
    );
  if (memoryGrowth !== undefined && memoryGrowth > MAX_GROWTH) missed.push('constant memory');
  return { rows, growth: memoryGrowth, samples, missed };
}

function formatReportLines({
  rows,
  growth: memoryGrowth,
  samples,
  missed,
}: ReturnType<typeof createReport>): readonly string[] {
  return [
    'way documents fragments seconds documents/s of Quarry, relative fragments/s',
    ...rows.map(
      ({ way, documents, fragments, seconds, documentRatio, fragmentRatio }) =>
        `${way.padEnd(20)} ${String(documents).padStart(9)}  ${String(fragments).padStart(9)}  ${seconds.toFixed(1).padStart(7)}  ` +
        `${documentRatio.toFixed(2).padStart(32)}  ${fragmentRatio.toFixed(2).padStart(11)}`,
    ),
    ...(memoryGrowth === undefined
      ? []
      : [
          `memory, last quarter relative to second: ${memoryGrowth.toFixed(2)} (${samples.map(Math.round).join(' ')} MB)`,
        ]),
    ...missed.map((target) => `MISSED: ${target}`),
  ];
}
