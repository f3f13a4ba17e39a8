import MiniSearch from 'minisearch';
import type { EvaluationSet } from './evaluation-set.js';
import type { Run } from './run-queries.js';
import { measureDuration } from '../quarry/measure-duration.js';

const MAX_RESULTS = 100;
const words = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Searches with MiniSearch, a widely used search package of npm. Title and text are one field, which `Intl.Segmenter`
 * splits into words.
 *
 * @returns undefined for a set of files, which MiniSearch cannot read
 */
export async function searchWithMiniSearch({ documents, queries }: EvaluationSet): Promise<Run | undefined> {
  const texts = documents.flatMap((document) =>
    'text' in document ? [{ id: document.id, text: `${document.title}\n${document.text}` }] : [],
  );
  if (texts.length < documents.length) return undefined;
  const index = new MiniSearch({ fields: ['text'], tokenize: splitIntoWords });
  index.addAll(texts);
  const answers = [];
  for (const { id, text, relevant } of queries) {
    const { result, ms } = await measureDuration(() => index.search(text).slice(0, MAX_RESULTS));
    answers.push({ query: id, ranking: result.map((found) => String(found.id)), relevant, ms });
  }
  return { mode: 'plain BM25', answers };
}

function splitIntoWords(text: string): string[] {
  return Array.from(words.segment(text)).flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}
