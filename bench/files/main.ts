import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createHtmlReader } from '@quarry/crawler';
import { openDocumentReader } from '@quarry/document-readers';
import { evaluateFile, type EvaluationParts, type FileResult } from './evaluate-file.js';
import { readFileCases, type FileCase } from './file-cases.js';
import { formatFileRow, formatColumnTitles, formatSummaryOfRows, toJsonRow } from './report.js';

const DEFAULT_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/eval/files');
const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true });
const FOLDER = positionals[0] ?? DEFAULT_FOLDER;
/** Settings of the reader. Each file is read in a new process, so that the measured memory is that of one file. */
const READING = {
  processes: 1,
  documentsPerProcess: 1,
  idleMs: 60_000,
  timeoutMs: 120_000,
  memoryMb: 1_024,
  maxCharacters: 50_000_000,
};
const PAGES = { threads: 1, timeoutMs: 10_000, memoryMb: 256 };

const cases = readFileCases(FOLDER);
if (cases === undefined) console.log(`Skipped: there is no manifest.jsonl in ${FOLDER}.`);
else process.exitCode = (await evaluateFiles(cases)) ? 0 : 1;

/** Evaluates all files. @returns whether all outcomes are as expected */
async function evaluateFiles(files: readonly FileCase[]): Promise<boolean> {
  const scratch = await mkdtemp(join(tmpdir(), 'quarry-eval-'));
  const parts: EvaluationParts = {
    folder: FOLDER,
    scratch,
    reader: openDocumentReader(READING),
    pages: createHtmlReader(PAGES),
  };
  const results: (FileCase & FileResult)[] = [];
  const print = values.json === true ? () => undefined : console.log;
  print(formatColumnTitles());
  try {
    for (const file of files) {
      const result = { ...file, ...(await evaluateFile(parts, file)) };
      results.push(result);
      print(formatFileRow(result));
    }
  } finally {
    await Promise.all([parts.reader.close(), parts.pages.close(), rm(scratch, { recursive: true, force: true })]);
  }
  print(formatSummaryOfRows(results));
  if (values.json === true) console.log(JSON.stringify(results.map(toJsonRow), null, 2));
  return results.every((result) => result.met);
}
