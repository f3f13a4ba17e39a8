import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { parseNumber } from '../quarry/parse-option.js';
import { parseStoreName, runWithInstallation, type Installation } from '../quarry/run-with-installation.js';
import { measureContainedAnswers } from './measure-contained-answers.js';
import { readEvaluationSet, type EvaluationSet } from './evaluation-set.js';
import { ingestDocuments, type Embedding } from './ingest.js';
import { createMixedSet } from './mixed-set.js';
import { searchWithMiniSearch } from './plain-bm25.js';
import { createReport, formatReportTable, type Report } from './report.js';
import { runQueries, type Run } from './run-queries.js';
import {
  type Abstention,
  formatAbstention,
  listMissedAbstentionTargets,
  measureAbstentionOfSet,
} from './unanswerable.js';

const USAGE = `npm run eval:retrieval -- <folder>… [--store lancedb|qdrant] [--mixed <folder>] [--unanswerable] [--json] [--no-answers]
  [--model <name> --dimensions <n>]

Measures lexical search in each folder; with --model, also dense and hybrid search. The variables QUARRY_EMBEDDING_… and
QUARRY_RERANK_… of this process select the providers. --store qdrant runs separate services, and needs redis-server and qdrant.
--mixed measures the questions of its folder, in another language, with the documents of each folder. --unanswerable measures
only the answers, with half of the articles in the datastore, and with each article in a datastore of its own.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    json: { type: 'boolean', default: false },
    unanswerable: { type: 'boolean', default: false },
    answers: { type: 'boolean', default: true },
    mixed: { type: 'string' },
    model: { type: 'string' },
    dimensions: { type: 'string', default: '384' },
    store: { type: 'string', default: 'lancedb' },
  },
});
if (positionals.length === 0) {
  console.error(USAGE);
  process.exit(2);
}
const embedding: Embedding | undefined =
  values.model === undefined
    ? undefined
    : { model: values.model, dimensions: parseNumber('dimensions', values.dimensions), distance: 'cosine' };
const given = Object.entries(process.env).filter(([name]) => /^QUARRY_(EMBEDDING|RERANK|DENSE)_/.test(name));
const variables = Object.fromEntries(given.map(([name, value = '']) => [name, value]));

const store = parseStoreName(values.store);
const sets = await readEvaluationSets();
if (values.unanswerable) process.exit(await measureAndPrintAbstention());
const reports: Report[] = [];
for (const set of sets) {
  if (!values.json && sets.length > 1) console.error(`${set.name}: ${String(set.queries.length)} queries`);
  reports.push(await runWithInstallation(store, async (installation) => evaluateRetrievalOfSet(set, installation)));
}
console.log(values.json ? JSON.stringify(reports, undefined, 2) : formatReportTable(reports));
process.exitCode = reports.every(({ missed }) => missed.length === 0) ? 0 : 1;

async function readEvaluationSets(): Promise<EvaluationSet[]> {
  const readSet = (folder: string): Promise<EvaluationSet> =>
    readEvaluationSet(resolve(process.env['INIT_CWD'] ?? '.', folder));
  const searched = await Promise.all(positionals.map(readSet));
  if (values.mixed === undefined) return searched;
  const asked = await readSet(values.mixed);
  return searched.map((set) => createMixedSet(asked, set));
}

/**
 * Measures and prints, for each evaluation set, how often agents abstain from an answer.
 *
 * @returns the exit code of the benchmark
 */
async function measureAndPrintAbstention(): Promise<number> {
  const found: Abstention[] = [];
  for (const set of sets) found.push(await measureAbstentionOfSet(set, variables));
  console.log(values.json ? JSON.stringify(found, undefined, 2) : found.map(formatAbstention).join('\n'));
  return found.every((each) => listMissedAbstentionTargets(each).length === 0) ? 0 : 1;
}

async function evaluateRetrievalOfSet(set: EvaluationSet, installation: Installation): Promise<Report> {
  const plain = await searchWithMiniSearch(set);
  const runs: Run[] = plain === undefined ? [] : [plain];
  const quarry = await installation.start({ variables });
  try {
    const words = await ingestDocuments(quarry.client, set, undefined);
    runs.push(await runQueries(quarry.client, words, set, 'lexical'));
    const containment = values.answers ? await measureContainedAnswers(quarry.client, words, set) : undefined;
    const meaning = embedding === undefined ? undefined : await ingestDocuments(quarry.client, set, embedding);
    if (meaning === undefined) return createReport(set, runs, containment);
    const hybrid = await runQueries(quarry.client, meaning, set, 'hybrid');
    await quarry.stop();
    runs.push(await runDenseQueries(set, installation, meaning), hybrid);
    return createReport(set, runs, containment);
  } finally {
    await quarry.stop();
  }
}

/** Runs the queries of a set with dense search only, on the fragments that `datastore` already contains. */
async function runDenseQueries(set: EvaluationSet, installation: Installation, datastore: string): Promise<Run> {
  const quarry = await installation.start({ variables: { ...variables, QUARRY_DENSE_WEIGHT: '1' } });
  try {
    return await runQueries(quarry.client, datastore, set, 'dense');
  } finally {
    await quarry.stop();
  }
}
