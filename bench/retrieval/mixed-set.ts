import type { EvaluationSet, SetDocument, SetQuery } from './evaluation-set.js';

const MIN_NAME_LENGTH = 3;
const words = new Intl.Segmenter('und', { granularity: 'word' });
const NAME_OR_NUMBER = /\p{Lu}|\p{N}/u;

/**
 * Combines the questions of one set with the documents of another set in a different language. Both sets must have the
 * same document ids. Selects only the questions that share a name with a relevant document. A name is a word of at
 * least three characters with a capital letter or a digit. The first word of a question counts only if it contains a
 * digit.
 */
export function createMixedSet(asked: EvaluationSet, searched: EvaluationSet): EvaluationSet {
  const texts = new Map(searched.documents.map((document) => [document.id, collectWords(getDocumentText(document))]));
  const sharesName = ({ text, relevant }: SetQuery): boolean => {
    const names = listNamesInQuestion(text);
    return [...relevant.keys()].some((id) => names.some((name) => texts.get(id)?.has(name)));
  };
  return {
    name: `${asked.name} in ${searched.name}`,
    documents: searched.documents,
    // The known answers are in the language of the questions, so no document contains them.
    queries: asked.queries.filter(sharesName).map((query) => ({ ...query, answers: [] })),
  };
}

function listNamesInQuestion(question: string): readonly string[] {
  const [first, ...others] = [...collectWords(question)];
  const isName = (word: string): boolean => word.length >= MIN_NAME_LENGTH && NAME_OR_NUMBER.test(word);
  return [...(first !== undefined && /\p{N}/u.test(first) ? [first] : []), ...others].filter(isName);
}

function collectWords(text: string): ReadonlySet<string> {
  return new Set(
    Array.from(words.segment(text)).flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : [])),
  );
}

/**
 * Returns the title and the text of a document; an empty text for a file. Sets of files cannot be combined, because
 * files have different ids in different languages.
 */
function getDocumentText(document: SetDocument): string {
  return 'text' in document ? `${document.title}\n${document.text}` : '';
}
