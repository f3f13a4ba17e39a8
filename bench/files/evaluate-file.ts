import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { HtmlReader } from '@quarry/crawler';
import { ReadingFailed, type DocumentReader, type Fragment } from '@quarry/document-readers';
import type { Expectation, FileCase } from './file-cases.js';
import { MIME_TYPES } from './mime-types.js';
import { computeTokenRecall } from './token-recall.js';

/** The outcome and the measurements of one file. */
export interface FileResult {
  readonly type: string;
  readonly outcome: Outcome;
  readonly met: boolean;
  readonly characters: number;
  /** Share of the reference's words that the read text contains. Undefined if there is no reference or no text. */
  readonly recall: number | undefined;
  readonly missing: readonly string[];
  readonly milliseconds: number;
  /** Maximum memory of the reader process in MB; undefined if the process was killed. */
  readonly peakMemoryMb: number | undefined;
}

/** The outcome of reading a file: text, no text, a refusal with its error code, or an unexpected failure. */
export type Outcome = 'text' | 'no text' | { readonly refused: string } | { readonly crashed: string };

export interface EvaluationParts {
  readonly folder: string;
  /** Path of the folder for temporary files. */
  readonly scratch: string;
  readonly reader: DocumentReader;
  /** Converts web pages to Markdown, as the crawler does before ingestion. */
  readonly pages: HtmlReader;
}

const SPLITTING = { maxTokens: 512, overlapTokens: 64 };

/**
 * Reads a file as Quarry does, in a reader process, and compares the result with the expectation and with the
 * reference.
 */
export async function evaluateFile(parts: EvaluationParts, { file, expect, reference }: FileCase): Promise<FileResult> {
  let peakMemoryMb: number | undefined;
  const begun = performance.now();
  const read = await readAndDetermineOutcome(parts, file, (megabytes) => (peakMemoryMb = megabytes));
  const milliseconds = performance.now() - begun;
  const text = read.fragments.map((fragment) => fragment.text.slice(fragment.repeated)).join('\n');
  const comparison = reference === undefined || text === '' ? undefined : computeTokenRecall(text, reference);
  return {
    type: extname(file).slice(1),
    outcome: read.outcome,
    met: isExpectationMet(expect, read.outcome),
    characters: text.length,
    recall: comparison?.recall,
    missing: comparison?.missing ?? [],
    milliseconds,
    peakMemoryMb,
  };
}

/**
 * Returns whether the outcome meets the expectation. Because the benchmark runs without OCR, only the outcome `no text`
 * meets `empty-or-ocr`.
 */
export function isExpectationMet(expect: Expectation, outcome: Outcome): boolean {
  const refused = typeof outcome === 'object' && 'refused' in outcome ? outcome.refused : undefined;
  switch (expect) {
    case 'text':
      return outcome === 'text';
    case 'empty-or-ocr':
      return outcome === 'no text';
    case 'refuse':
      return refused !== undefined;
    case 'refuse-or-password':
      return refused === 'file_encrypted';
    case 'no-crash':
      return typeof outcome === 'string' || refused !== undefined;
  }
}

async function readAndDetermineOutcome(
  parts: EvaluationParts,
  file: string,
  onPeakMemory: (megabytes: number) => void,
): Promise<{ readonly outcome: Outcome; readonly fragments: readonly Fragment[] }> {
  try {
    const fragments = await readFragments(parts, file, onPeakMemory);
    return { outcome: fragments.length === 0 ? 'no text' : 'text', fragments };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const outcome = error instanceof ReadingFailed ? { refused: error.code } : { crashed: reason };
    return { outcome, fragments: [] };
  }
}

async function readFragments(
  { folder, scratch, reader, pages }: EvaluationParts,
  name: string,
  onPeakMemory: (megabytes: number) => void,
): Promise<readonly Fragment[]> {
  const path = join(folder, name);
  const isPage = extname(name) === '.html';
  const file = { mimeType: MIME_TYPES[extname(name)] ?? 'application/octet-stream', name, nameIsFileName: true };
  if (!isPage) return reader.read({ path, file, splitting: SPLITTING }, { onPeakMemory });
  const markdown = join(scratch, 'page.md');
  const input = {
    bytes: await readFile(path),
    charset: undefined,
    url: 'http://localhost/',
    productToken: 'Quarry',
  };
  await writeFile(markdown, (await pages.read(input)).markdown);
  const page = { mimeType: 'text/markdown', name, nameIsFileName: false };
  return reader.read({ path: markdown, file: page, splitting: SPLITTING }, { onPeakMemory });
}
