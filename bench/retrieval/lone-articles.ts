import { createClient, type QuarryClient } from '@quarry/client';
import type { QuarryUnderTest } from '../quarry/start-quarry.js';
import {
  type AskedQuestion,
  askAllQuestions,
  countAbstentions,
  countRightAnswers,
  formatPercent,
} from './ask-all-questions.js';
import type { EvaluationSet, SetQuery } from './evaluation-set.js';

/** The counts of answers and abstentions with datastores that contain one article each, in separate organizations. */
export interface LoneAbstention {
  readonly unanswerable: number;
  /** Number of correct abstentions: unanswered questions about an article that the datastore does not contain. */
  readonly abstained: number;
  readonly answerable: number;
  /** Number of lost answers: unanswered questions about the article in the datastore. */
  readonly lost: number;
  /** Number of questions about the article in the datastore whose answer contains a known right answer. */
  readonly contained: number;
}

/**
 * An article as one document. `own` contains the questions about this article, `foreign` those about the next article.
 */
export interface LoneArticle {
  readonly title: string;
  /** The texts of the article's documents in their order, separated by empty lines. */
  readonly text: string;
  readonly own: readonly SetQuery[];
  readonly foreign: readonly SetQuery[];
}

/**
 * Joins the documents with the same title to articles. The `foreign` questions of the last article are those about the
 * first article.
 */
export function listLoneArticles({ documents, queries }: EvaluationSet): LoneArticle[] {
  const titled = documents.filter((document) => 'title' in document);
  const articles = [...Map.groupBy(titled, ({ title }) => title)].map(([title, parts]) => {
    const ids = new Set(parts.map(({ id }) => id));
    const own = queries.filter(({ relevant }) => [...relevant.keys()].some((id) => ids.has(id)));
    return { title, text: parts.map(({ text }) => text).join('\n\n'), own };
  });
  return articles.map((article, at) => ({ ...article, foreign: articles[(at + 1) % articles.length]?.own ?? [] }));
}

/**
 * Adds each article to a separate organization, so that term statistics do not depend on other articles. Asks the
 * questions about the article and about the next article.
 */
export async function measureLoneArticles(quarry: QuarryUnderTest, set: EvaluationSet): Promise<LoneAbstention> {
  const own: AskedQuestion[] = [];
  const foreign: AskedQuestion[] = [];
  for (const article of listLoneArticles(set)) {
    const { apiKey } = await quarry.client.createOrganization({ name: article.title });
    const client = createClient({ baseUrl: quarry.baseUrl, apiKey });
    const agentId = await createArticleAgent(client, article);
    own.push(...(await askAllQuestions(client, agentId, article.own)));
    foreign.push(...(await askAllQuestions(client, agentId, article.foreign)));
  }
  return {
    ...{ unanswerable: foreign.length, abstained: countAbstentions(foreign) },
    ...{ answerable: own.length, lost: countAbstentions(own), contained: countRightAnswers(own) },
  };
}

async function createArticleAgent(client: QuarryClient, { title, text }: LoneArticle): Promise<string> {
  const { id: datastoreId } = await client.createDatastore({ name: title });
  const { ids } = await client.upsertDocuments(datastoreId, [{ name: title, text }]);
  for (const id of ids) {
    const { status } = await client.untilSettled(id);
    if (status !== 'synched')
      throw new Error(`expected the article ${title} to be indexed, found the status ${status}`);
  }
  return (await client.createAgent({ name: title, datastoreIds: [datastoreId] })).id;
}

/** Formats the abstention figures of datastores with one article each as lines of text. */
export function formatLoneAbstention(found: LoneAbstention): string {
  const { unanswerable, abstained, answerable, lost, contained } = found;
  return [
    '  each article alone in an organization, as one document:',
    `  ${unanswerable} questions about the next article: ${formatPercent(abstained / unanswerable)} got no answer`,
    `  ${answerable} questions about the article: ${formatPercent(lost / answerable)} got no answer, ` +
      `${formatPercent(contained / answerable)} an answer with the right string`,
  ].join('\n');
}
