import MiniSearch from 'minisearch';
import type { EvaluationSet } from './evaluation-set.js';
import type { Run } from './run-queries.js';
import { timed } from '../quarry/timed.js';

const MOST = 100;
const words = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * BM25 as a program has it that takes the most used search package of npm: title and text as one field, words as Unicode
 * divides them (which knows the words of Chinese, Japanese and Thai by dictionary), in lower case, nothing else.
 *
 * @returns undefined for a set of files, which it cannot read
 */
export async function plainBm25({ documents, queries }: EvaluationSet): Promise<Run | undefined> {
  const texts = documents.flatMap((document) =>
    'text' in document ? [{ id: document.id, text: `${document.title}\n${document.text}` }] : [],
  );
  if (texts.length < documents.length) return undefined;
  const index = new MiniSearch({ fields: ['text'], tokenize: wordsOf });
  index.addAll(texts);
  const answers = [];
  for (const { id, text, relevant } of queries) {
    const { result, ms } = await timed(() => index.search(text).slice(0, MOST));
    answers.push({ query: id, ranking: result.map((found) => String(found.id)), relevant, ms });
  }
  return { mode: 'plain BM25', answers };
}

function wordsOf(text: string): string[] {
  return Array.from(words.segment(text)).flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}
