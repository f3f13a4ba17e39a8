import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Judgements } from './measures.js';

export interface EvaluationSet {
  readonly name: string;
  readonly documents: readonly SetDocument[];
  readonly queries: readonly SetQuery[];
}

/**
 * A document of an evaluation set: a text of `corpus.jsonl`, or a file in the folder `docs`. The id of a file is its
 * name without the extension.
 */
export type SetDocument =
  | { readonly id: string; readonly title: string; readonly text: string }
  | { readonly id: string; readonly path: string };

export interface SetQuery {
  readonly id: string;
  readonly text: string;
  /** The relevance of each document that is relevant to the question, keyed by document id. */
  readonly relevant: Judgements;
  /**
   * The strings of which a right answer contains at least one; empty if the set has no known answers to the question.
   */
  readonly answers: readonly string[];
}

interface CorpusLine {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

interface AnswerLine {
  readonly id: string;
  readonly answers?: readonly string[];
}

/** Reads an evaluation set. @throws Error if the folder contains none */
export async function readEvaluationSet(folder: string): Promise<EvaluationSet> {
  const [documents, queries, judgements, answers] = await Promise.all([
    readDocuments(folder),
    readJsonLines<{ id: string; text: string }>(join(folder, 'queries.jsonl')),
    readJudgements(join(folder, 'qrels.tsv')),
    readRightAnswers(join(folder, 'answers.jsonl')),
  ]);
  const judged = queries.map(({ id, text }) => ({
    ...{ id, text },
    relevant: judgements.get(id) ?? new Map<string, number>(),
    answers: answers.get(id) ?? [],
  }));
  return { name: basename(folder), documents, queries: judged };
}

async function readDocuments(folder: string): Promise<SetDocument[]> {
  const corpus = join(folder, 'corpus.jsonl');
  if (existsSync(corpus)) {
    const lines = await readJsonLines<CorpusLine>(corpus);
    return lines.map(({ id, title = '', text }) => ({ id, title, text }));
  }
  const docs = join(folder, 'docs');
  const names = await readdir(docs);
  return names.sort().map((name) => ({ id: basename(name, extname(name)), path: join(docs, name) }));
}

async function readJudgements(file: string): Promise<Map<string, Map<string, number>>> {
  const judgements = new Map<string, Map<string, number>>();
  const [, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
  for (const line of lines) {
    const [query = '', document = '', score = ''] = line.split('\t');
    const relevant = judgements.get(query) ?? new Map<string, number>();
    if (Number(score) > 0) relevant.set(document, Number(score));
    judgements.set(query, relevant);
  }
  return judgements;
}

async function readRightAnswers(file: string): Promise<Map<string, readonly string[]>> {
  if (!existsSync(file)) return new Map();
  const lines = await readJsonLines<AnswerLine>(file);
  return new Map(lines.map(({ id, answers = [] }) => [id, answers]));
}

/** Reads a file of JSON lines, without validation of the values. */
async function readJsonLines<Line>(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
