import type { ScoredFragment } from '@quarry/fragment-store';
import { extractTerms } from '@quarry/text-analysis';
import { getDocumentId } from '../../retrieval/document-id.js';
import { extractQuestionWords, matchWord, type QuestionWord } from './question-words.js';

/** Describes the documents that a question names, and the words that do not name them. */
export interface NamedDocuments {
  /** One found fragment of each document, best first. */
  readonly documents: readonly ScoredFragment[];
  /** The words of the question that are neither in the names nor in the main headings of the documents. */
  readonly asked: readonly QuestionWord[];
}

/**
 * Minimum ordinal of a found fragment for which its document counts as long. Only in long documents can the first
 * search miss the right fragment.
 */
const MIN_LONG_ORDINAL = 5;
/**
 * Minimum share of a document's found fragments whose document name or main heading must contain a word, so that the
 * word names the whole document.
 */
const MIN_NAMED_SHARE = 0.5;
/** Number of characters at the beginning of a document that count as its description. */
const HEAD_LENGTH = 700;
export const TITLE_SEPARATOR = ' › ';
/**
 * Number of segments at the start of a fragment's context that can name the document: the document name and the main
 * heading.
 */
const TITLE_SEGMENTS = 2;
/**
 * Maximum share of the documents without a name in their title that may mention this name in their text. If more
 * documents mention it, the name does not distinguish documents.
 */
const MAX_MENTIONED_SHARE = 0.8;
/**
 * Minimum total weight of those words of a question that name no document: the weight of one long word, or of two short
 * ones.
 */
const MIN_ASKED_WEIGHT = 1;
/**
 * Weight of a name from the question if the title of a document contains it. The weight is 1 for a number in the title,
 * and for a name that is only in the text.
 */
const NAME_WEIGHT = 1.5;

/**
 * Finds the documents whose name and main headings contain the most names and numbers of the question. Returns
 * undefined if the question names no long document, or contains hardly any words that name no document. A number alone
 * names no document, because a year in a file name says little about the other files.
 *
 * @param candidates all fragments that were found for the question, best first
 * @param whole the question with its conversation, whose names are used if the question itself has none
 * @param beginnings the text at the beginning of documents, keyed by `getDocumentId`. If the beginning of a document
 *   contains all names of the question, they count as if they were in its title
 */
export function findNamedDocuments(
  question: string,
  candidates: readonly ScoredFragment[],
  whole = question,
  beginnings: ReadonlyMap<string, string> = new Map(),
): NamedDocuments | undefined {
  const own = extractQuestionWords(question);
  const words = own.some(({ kind }) => kind === 'name') ? own : extractQuestionWords(whole);
  const documents = Array.from(Map.groupBy(candidates, getDocumentId), ([id, fragments]) =>
    findQuestionWordsOfDocument(words, fragments, beginnings.get(id) ?? ''),
  );
  const naming = new Set(documents.flatMap(({ titled }) => titled).filter((word) => isDistinctive(word, documents)));
  const namingTexts = new Set([...naming].map(({ text }) => text));
  const asked = own.filter(({ text }) => !namingTexts.has(text));
  const computeFit = ({ titled, mentioned }: FoundDocument): number =>
    [...naming].reduce((sum, word) => {
      if (titled.includes(word)) return sum + (word.kind === 'name' ? NAME_WEIGHT : 1);
      return sum + (mentioned.includes(word) ? 1 : 0);
    }, 0);
  const fits = documents.map(computeFit);
  const best = Math.max(0, ...fits);
  const fitting = documents.filter((_, at) => fits[at] === best);
  const isLong = fitting.some(({ fragments }) => fragments.some(({ ordinal }) => ordinal >= MIN_LONG_ORDINAL));
  const hasName = [...naming].some(({ kind }) => kind === 'name');
  if (!hasName || !isLong || sumWeights(asked) < MIN_ASKED_WEIGHT) return undefined;
  return { documents: fitting.flatMap(({ fragments }) => fragments.slice(0, 1)), asked };
}

function sumWeights(words: readonly QuestionWord[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}

/** Holds the found fragments of a document, and the words of the question that occur in the document. */
interface FoundDocument {
  readonly fragments: readonly ScoredFragment[];
  /**
   * Names and numbers of the question that the name or main heading of the document contains. Includes all names of the
   * question if the beginning of the document contains all of them.
   */
  readonly titled: readonly QuestionWord[];
  /** Names of the question that the text of at least one of these fragments contains. */
  readonly mentioned: readonly QuestionWord[];
}

function findQuestionWordsOfDocument(
  words: readonly QuestionWord[],
  fragments: readonly ScoredFragment[],
  beginning: string,
): FoundDocument {
  const names = words.filter(({ kind }) => kind === 'name');
  const mentioned = names.filter(({ text: name }) => {
    const pattern = new RegExp(
      String.raw`(?<![\p{L}\p{N}])${name.replaceAll('.', String.raw`\.`)}(?![\p{L}\p{N}])`,
      'iu',
    );
    return fragments.some(({ text }) => pattern.test(text));
  });
  const titled = new Set([...findWordsInTitles(words, fragments), ...findNamesIfAllOccur(names, beginning)]);
  return { fragments, titled: [...titled], mentioned };
}

/**
 * Returns whether a word distinguishes the documents that have it in their title. Returns false for a name that most
 * other documents mention in their text, such as the name of the product in manuals.
 */
function isDistinctive(word: QuestionWord, documents: readonly FoundDocument[]): boolean {
  const others = documents.filter(({ titled }) => !titled.includes(word));
  const mentioning = others.filter(({ mentioned }) => mentioned.includes(word));
  return mentioning.length <= MAX_MENTIONED_SHARE * others.length;
}

/** Returns the names if the beginning of a document contains all of them, otherwise an empty list. */
function findNamesIfAllOccur(names: readonly QuestionWord[], beginning: string): readonly QuestionWord[] {
  const terms = new Set(extractTerms(beginning.slice(0, HEAD_LENGTH)));
  return names.every((name) => matchWord(name, terms) === 1) ? names : [];
}

function findWordsInTitles(words: readonly QuestionWord[], fragments: readonly ScoredFragment[]): QuestionWord[] {
  const contexts = fragments.map(({ context }) => {
    const title = context.split(TITLE_SEPARATOR).slice(0, TITLE_SEGMENTS).join(' ');
    return new Set(extractTerms(title));
  });
  return words.filter((word) => {
    const found = contexts.filter((terms) => matchWord(word, terms) === 1).length;
    return word.kind !== 'word' && found >= MIN_NAMED_SHARE * contexts.length;
  });
}

/**
 * Returns the words of a question that the beginnings of the named documents do not contain, joined by spaces. The
 * omitted words, such as `report`, only state the kind of the documents. Returns all words if none is left.
 *
 * @param words the words of the question that do not name the documents
 * @param heads first fragments of the named documents
 */
export function focusQuestion(words: readonly QuestionWord[], heads: readonly string[]): string {
  const terms = heads.map((head) => new Set(extractTerms(head.slice(0, HEAD_LENGTH))));
  const isOfHead = (word: QuestionWord): boolean => terms.some((head) => matchWord(word, head) > 0);
  const rest = words.filter((word) => !isOfHead(word));
  return (rest.length > 0 ? rest : words).map(({ text }) => text).join(' ');
}
