import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { startQuarry, withFolder } from '../quarry/start-quarry.js';
import { askQuestions } from './ask-questions.js';
import { readEvaluationSet, type EvaluationSet } from './evaluation-set.js';
import { ingestDocuments, type Embedding } from './ingest.js';
import { searchWithMiniSearch } from './plain-bm25.js';
import { createReport, formatTable, type Report } from './report.js';
import { runQueries, type Run } from './run-queries.js';

const USAGE = `npm run eval:retrieval -- <folder> [--json] [--no-answers] [--model <name> --dimensions <n>]

Measures lexical search; with --model, also dense and hybrid search. The variables QUARRY_EMBEDDING_… and QUARRY_RERANK_… of
this process select the providers.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    json: { type: 'boolean', default: false },
    answers: { type: 'boolean', default: true },
    model: { type: 'string' },
    dimensions: { type: 'string', default: '384' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error(USAGE);
  process.exit(2);
}
const embedding: Embedding | undefined =
  values.model === undefined
    ? undefined
    : { model: values.model, dimensions: Number(values.dimensions), distance: 'cosine' };
const given = Object.entries(process.env).filter(([name]) => /^QUARRY_(EMBEDDING|RERANK|DENSE)_/.test(name));
const variables = Object.fromEntries(given.map(([name, value = '']) => [name, value]));

const set = await readEvaluationSet(resolve(process.env['INIT_CWD'] ?? '.', folder));
const report = await withFolder(async (data) => evaluateSet(set, data));
console.log(values.json ? JSON.stringify(report, undefined, 2) : formatTable(report));
process.exitCode = report.missed.length === 0 ? 0 : 1;

async function evaluateSet(set: EvaluationSet, data: string): Promise<Report> {
  const plain = await searchWithMiniSearch(set);
  const runs: Run[] = plain === undefined ? [] : [plain];
  const quarry = await startQuarry({ folder: data, variables });
  try {
    const words = await ingestDocuments(quarry.client, set, undefined);
    runs.push(await runQueries(quarry.client, words, set, 'lexical'));
    const containment = values.answers ? await askQuestions(quarry.client, words, set) : undefined;
    const meaning = embedding === undefined ? undefined : await ingestDocuments(quarry.client, set, embedding);
    if (meaning === undefined) return createReport(set, runs, containment);
    const hybrid = await runQueries(quarry.client, meaning, set, 'hybrid');
    await quarry.stop();
    runs.push(await runDense(set, data, meaning), hybrid);
    return createReport(set, runs, containment);
  } finally {
    await quarry.stop();
  }
}

/** Searches the same fragments by vectors only. */
async function runDense(set: EvaluationSet, data: string, datastore: string): Promise<Run> {
  const quarry = await startQuarry({ folder: data, variables: { ...variables, QUARRY_DENSE_WEIGHT: '1' } });
  try {
    return await runQueries(quarry.client, datastore, set, 'dense');
  } finally {
    await quarry.stop();
  }
}
