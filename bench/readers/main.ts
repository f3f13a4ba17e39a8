import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readFileCases } from '../files/file-cases.js';
import { computeTokenRecall } from '../files/token-recall.js';
import { compareLibraries, type ChosenLibrary, type Comparison, type FileRead } from './comparison.js';
import { runBaseline } from '../baselines/run-baseline.js';
import { readWithQuarry } from './read-with-quarry.js';

/**
 * The name of Quarry's complete reader in the report. Unlike a library, it analyses the layout and adds content that
 * the library omits.
 */
const QUARRY = 'Quarry';
const CHOSEN: readonly ChosenLibrary[] = [
  { type: 'pdf', library: '@hyzyla/pdfium' },
  { type: 'docx', library: 'mammoth' },
  { type: 'xlsx', library: QUARRY },
  { type: 'csv', library: 'csv-parse' },
  { type: 'pptx', library: QUARRY },
];

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true });
const folder = resolve(process.env['INIT_CWD'] ?? '.', positionals[0] ?? '../shared/eval/files');
const manifest = readFileCases(folder);
if (manifest === undefined) throw new Error(`expected a manifest.jsonl in ${folder}, found none`);
const references = new Map(manifest.map(({ file, reference }) => [file, reference]));

const made = await mkdtemp(join(tmpdir(), 'quarry-readers-'));
try {
  await runBaseline('readers.mjs', ['make', made]);
  references.set('large.csv', await readFile(join(made, 'large.csv'), 'utf8'));
  const libraries = (await runBaseline('readers.mjs', ['list'])) as string[]; // the comparison program prints this form
  const reads = new Map<string, FileRead[]>();
  for (const library of libraries) {
    reads.set(library, (await runBaseline('readers.mjs', [library, folder, made])) as FileRead[]); // the comparison program prints this form
  }
  reads.set(QUARRY, await readWithQuarry([folder, made]));
  const rows = compareLibraries(reads, CHOSEN, computeRecall);
  console.log(values.json === true ? JSON.stringify(rows, undefined, 2) : rows.map(formatComparisonLine).join('\n'));
} finally {
  await rm(made, { recursive: true });
}

function computeRecall(file: string, text: string): number | undefined {
  const reference = references.get(file);
  return reference === undefined ? undefined : computeTokenRecall(text, reference).recall;
}

function formatComparisonLine({ type, library, isChosen, read, files, recall, time }: Comparison): string {
  const name = `${library}${isChosen ? ' *' : ''}`;
  return `${type.padEnd(5)} ${name.padEnd(20)} read ${read}/${files}  recall ${recall.toFixed(3)}  time ${time.toFixed(2)}`;
}
