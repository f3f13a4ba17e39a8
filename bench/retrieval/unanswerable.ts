import { startQuarry, runWithTemporaryFolder } from '../quarry/start-quarry.js';
import { askAllQuestions, countAbstentions, countRightAnswers, formatPercent } from './ask-all-questions.js';
import type { EvaluationSet, SetQuery } from './evaluation-set.js';
import { ingestDocuments } from './ingest.js';
import { formatLoneAbstention, type LoneAbstention, measureLoneArticles } from './lone-articles.js';

/**
 * An evaluation set, divided so that a datastore contains every second article only. An article is all documents with
 * the same title.
 */
export interface HalvedSet {
  /** The set with every second article, and the questions about these articles. */
  readonly answerable: EvaluationSet;
  /** The questions about the other articles. */
  readonly unanswerable: readonly SetQuery[];
}

export interface Abstention {
  readonly set: string;
  readonly unanswerable: number;
  /** Number of correct abstentions: unanswerable questions that were not answered. */
  readonly abstained: number;
  readonly answerable: number;
  /** Number of lost answers: answerable questions that were not answered. */
  readonly lost: number;
  /** Number of answerable questions whose answer contains a known right answer. */
  readonly contained: number;
  /** The counts of the same questions with datastores that contain one article each. */
  readonly alone: LoneAbstention;
}

const MIN_ABSTAINED = 0.8;
const MAX_LOST = 0.05;

/**
 * Divides an evaluation set: every second article, in the order of the documents, is kept, and the others are removed.
 *
 * @throws Error if the documents have fewer than two titles
 */
export function splitSetByArticles(set: EvaluationSet): HalvedSet {
  const titles = [...new Set(set.documents.map((document) => ('title' in document ? document.title : '')))];
  if (titles.length < 2)
    throw new Error(`expected at least two different titles in the set ${set.name}, found ${titles.length}`);
  const isKept = (title: string): boolean => titles.indexOf(title) % 2 === 0;
  const documents = set.documents.filter((document) => 'title' in document && isKept(document.title));
  const included = new Set(documents.map(({ id }) => id));
  const isAnswerable = ({ relevant }: SetQuery): boolean => [...relevant.keys()].some((id) => included.has(id));
  return {
    answerable: { ...set, documents, queries: set.queries.filter(isAnswerable) },
    unanswerable: set.queries.filter((query) => !isAnswerable(query)),
  };
}

/**
 * Asks all questions of a set with a datastore that contains every second article. Then asks the questions again with
 * datastores that contain one article each.
 */
export async function measureAbstentionOfSet(
  set: EvaluationSet,
  variables: Readonly<Record<string, string>>,
): Promise<Abstention> {
  const { answerable, unanswerable } = splitSetByArticles(set);
  return runWithTemporaryFolder(async (folder) => {
    const quarry = await startQuarry({ folder, variables });
    try {
      const datastoreId = await ingestDocuments(quarry.client, answerable, undefined);
      const { id } = await quarry.client.createAgent({ name: set.name, datastoreIds: [datastoreId] });
      const answered = await askAllQuestions(quarry.client, id, answerable.queries);
      const without = await askAllQuestions(quarry.client, id, unanswerable);
      return {
        set: set.name,
        ...{ unanswerable: without.length, abstained: countAbstentions(without) },
        ...{ answerable: answered.length, lost: countAbstentions(answered) },
        contained: countRightAnswers(answered),
        alone: await measureLoneArticles(quarry, set),
      };
    } finally {
      await quarry.stop();
    }
  });
}

/** Returns the targets that the abstentions miss, each as one line of text. */
export function listMissedAbstentionTargets({
  unanswerable,
  abstained,
  answerable,
  lost,
}: Omit<Abstention, 'alone'>): string[] {
  return [
    ...(abstained >= MIN_ABSTAINED * unanswerable
      ? []
      : [`expected no answer to at least ${formatPercent(MIN_ABSTAINED)} of the unanswerable questions`]),
    ...(lost <= MAX_LOST * answerable
      ? []
      : [`expected no answer to at most ${formatPercent(MAX_LOST)} of the answerable questions`]),
  ];
}

/** Formats the abstention figures of a set and the missed targets as lines of text. */
export function formatAbstention(found: Abstention): string {
  const { set, unanswerable, abstained, answerable, lost, contained } = found;
  return [
    `${set}, half of its articles:`,
    `  ${unanswerable} questions about the other articles: ${formatPercent(abstained / unanswerable)} got no answer`,
    `  ${answerable} questions about these articles: ${formatPercent(lost / answerable)} got no answer, ` +
      `${formatPercent(contained / answerable)} an answer with the right string`,
    formatLoneAbstention(found.alone),
    ...listMissedAbstentionTargets(found).map((target) => `MISSED: ${target}`),
  ].join('\n');
}
