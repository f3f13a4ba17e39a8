import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDocumentReader, ReadingFailed, type DocumentReader, type Fragment } from '@quarry/document-readers';
import { parseNumber } from '../quarry/parse-option.js';
import { readPageWords, type PageWord } from './page-words.js';
import { scorePassage, type PassageScore } from './score-passage.js';

const EVALUATION = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/eval');
const DEFAULT_FOLDERS = [join(EVALUATION, 'files'), join(EVALUATION, 'sec10q/docs')];
const { values, positionals } = parseArgs({
  options: {
    passages: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean' },
  },
  allowPositionals: true,
});
const numberOfPassages = parseNumber('passages', values.passages);
const READING = {
  processes: 1,
  documentsPerProcess: 10,
  idleMs: 60_000,
  timeoutMs: 120_000,
  memoryMb: 1_024,
  maxCharacters: 50_000_000,
};
const SPLITTING = { maxTokens: 512, overlapTokens: 64 };
const MIN_RECALL = 0.9;
const TARGETS = { page: 0.98, boxes: 0.95 };

interface Passage extends Fragment {
  readonly file: string;
  readonly pages: readonly (readonly PageWord[])[];
}

const folders = positionals.length === 0 ? DEFAULT_FOLDERS : positionals;
const reader = openDocumentReader(READING);
const passages = await readPassagesOfFolders(reader, folders).finally(() => reader.close());
if (passages.length === 0) console.log(`Skipped: there is no PDF with text in ${folders.join(', ')}.`);
else process.exitCode = printScores(selectRandomPassages(passages)) ? 0 : 1;

async function readPassagesOfFolders(documents: DocumentReader, from: readonly string[]): Promise<readonly Passage[]> {
  const found: Passage[] = [];
  for (const folder of from) {
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.pdf')).sort()) {
      const path = join(folder, name);
      const fragments = await readFragments(documents, path);
      if (fragments.length === 0) continue;
      const pages = await readPageWords(path);
      found.push(...fragments.map((fragment) => ({ ...fragment, file: name, pages })));
    }
  }
  return found;
}

/** Reads the fragments of a file as Quarry does. Returns no fragments for a file that cannot be read. */
async function readFragments(documents: DocumentReader, path: string): Promise<readonly Fragment[]> {
  const file = { mimeType: 'application/pdf', name: basename(path), nameIsFileName: true };
  try {
    return await documents.read({ path, file, splitting: SPLITTING });
  } catch (error) {
    if (error instanceof ReadingFailed) return [];
    throw error;
  }
}

/** Selects random passages. Excludes the comments of a document, because they are not on its pages. */
function selectRandomPassages(all: readonly Passage[]): readonly Passage[] {
  const computeOrder = (index: number): string => createHash('sha256').update(`${values.seed}/${index}`).digest('hex');
  return all
    .filter(({ location }) => location !== 'comments')
    .map((passage, index) => ({ passage, order: computeOrder(index) }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .slice(0, numberOfPassages)
    .map(({ passage }) => passage);
}

/** Prints the mean scores of each file and of all files. @returns whether the scores of all files meet the targets */
function printScores(selected: readonly Passage[]): boolean {
  const scored = selected.map((passage) => ({ passage, score: scorePassage(passage, passage.pages) }));
  console.log(['file', 'passages', 'right page', 'covered', 'recall', 'precision', 'rectangles'].join('\t'));
  for (const [file, group] of Map.groupBy(scored, ({ passage }) => passage.file))
    printScoreRow(
      file,
      group.map(({ score }) => score),
    );
  const scores = scored.map(({ score }) => score);
  printScoreRow('all', scores);
  for (const { passage, score } of values.list === true ? scored : []) {
    if (score.hasRightPage && isPassageCovered(score) && score.precision >= MIN_RECALL) continue;
    console.log(JSON.stringify({ file: passage.file, page: passage.page, ...score, text: passage.text.slice(0, 300) }));
  }
  return computeMean(scores, hasRightPage) >= TARGETS.page && computeMean(scores, isPassageCovered) >= TARGETS.boxes;
}

/** Returns whether the rectangles of a passage contain at least the share `MIN_RECALL` of its words. */
function isPassageCovered({ recall }: PassageScore): boolean {
  return recall >= MIN_RECALL;
}

function hasRightPage(score: PassageScore): boolean {
  return score.hasRightPage;
}

function printScoreRow(name: string, scores: readonly PassageScore[]): void {
  const shares = [
    computeMean(scores, hasRightPage),
    computeMean(scores, isPassageCovered),
    computeMean(scores, ({ recall }) => recall),
    computeMean(scores, ({ precision }) => precision),
  ].map((share) => `${(share * 100).toFixed(1)} %`);
  const rectangles = computeMean(scores, (score) => score.rectangles).toFixed(1);
  console.log([name, scores.length, ...shares, rectangles].join('\t'));
}

function computeMean(scores: readonly PassageScore[], valueOf: (score: PassageScore) => number | boolean): number {
  return scores.reduce((sum, score) => sum + Number(valueOf(score)), 0) / scores.length;
}
