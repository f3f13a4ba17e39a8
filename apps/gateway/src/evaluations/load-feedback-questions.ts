import type { AnswerSource, FeedbackSelection } from '@quarry/contracts';
import { and, desc, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Caller } from '../access/caller.js';
import { requireAgent } from '../agents/agent-repository.js';
import { parseTime } from '../checks/parse-time.js';
import type { Queries } from '../database/database.js';
import { conversations, messages } from '../database/tables/conversations.js';
import type { StoredQuestion } from '../database/tables/evaluations.js';
import { type DatasourceLabel, loadDatasourceLabels } from '../datasources/datasource-repository.js';
import { normalizeText } from './match-text.js';

/** The fields of a cited source that identify the cited document. */
type CitedSource = Pick<AnswerSource, 'datasource_id' | 'custom_id'> & { readonly source: string | null };

interface RatedAnswer {
  readonly messageId: string;
  readonly question: string;
  readonly cited: readonly CitedSource[];
}

type Reference = StoredQuestion['relevant'][number];

/**
 * Builds questions from answers with positive feedback, newest first. The documents that an answer cites are the
 * relevant documents of its question. A question that was asked repeatedly occurs once. An answer is omitted if none of
 * the documents that it cites still exists.
 *
 * @param limit maximum number of answers that are read
 * @throws Problem 404 for an unknown agent
 */
export async function loadFeedbackQuestions(
  db: Queries,
  caller: Caller,
  selection: FeedbackSelection,
  limit: number,
): Promise<readonly StoredQuestion[]> {
  const { agentId } = selection;
  const agent = agentId === undefined || agentId === null ? undefined : await requireAgent(db, caller, agentId);
  const answers = await listRatedAnswers(db, caller.organizationId, buildAnswerCondition(selection, agent?.id), limit);
  const ids = answers.flatMap(({ cited }) => cited.map((source) => source.datasource_id));
  const labels = await loadDatasourceLabels(db, caller.organizationId, ids);
  const questions = new Map<string, StoredQuestion>();
  for (const { messageId: id, question, cited } of answers) {
    const relevant = buildReferences(cited, labels);
    const key = normalizeText(question);
    if (relevant.length > 0 && !questions.has(key)) {
      questions.set(key, { id, question, expected: [], relevant, unanswerable: false });
    }
  }
  return [...questions.values()];
}

const answered = alias(messages, 'answered');
const asked = alias(messages, 'asked');

function buildAnswerCondition(
  { createdAfter, createdBefore, followUps }: FeedbackSelection,
  agentId: string | undefined,
): SQL | undefined {
  const after = parseTime('dataset.feedback.createdAfter', createdAfter);
  const before = parseTime('dataset.feedback.createdBefore', createdBefore);
  return and(
    agentId === undefined ? undefined : eq(conversations.agentId, agentId),
    followUps === true ? undefined : eq(answered.turn, 1),
    after && gte(answered.createdAt, after),
    before && lt(answered.createdAt, before),
  );
}

/** Lists complete answers with positive feedback, newest first, with their questions and cited sources. */
async function listRatedAnswers(
  db: Queries,
  organizationId: string,
  condition: SQL | undefined,
  limit: number,
): Promise<readonly RatedAnswer[]> {
  return db
    .select({
      messageId: answered.id,
      question: asked.text,
      // Omits the fields `text` and `rectangles`, which have most of the bytes of a source.
      cited: sql<readonly CitedSource[]>`(
        select coalesce(jsonb_agg(source - 'text' - 'rectangles' order by place), '[]')
        from jsonb_array_elements(${answered.sources}) with ordinality as each (source, place)
        where (source ->> 'cited')::boolean)`,
    })
    .from(conversations)
    .innerJoin(answered, eq(answered.conversationId, conversations.id))
    .innerJoin(asked, and(eq(asked.conversationId, answered.conversationId), eq(asked.turn, answered.turn)))
    .where(
      and(
        eq(conversations.organizationId, organizationId),
        sql`${conversations.feedbackUp} > 0`,
        eq(answered.role, 'assistant'),
        eq(answered.state, 'complete'),
        sql`${answered.feedback} ->> 'rating' = 'up'`,
        eq(asked.role, 'user'),
        condition,
      ),
    )
    .orderBy(desc(conversations.id), desc(answered.turn))
    .limit(limit);
}

/** Builds a reference to each cited document whose datasource still exists, without repetitions. */
function buildReferences(
  cited: readonly CitedSource[],
  labels: ReadonlyMap<string, DatasourceLabel>,
): readonly Reference[] {
  const references = cited.flatMap((source) => {
    const label = labels.get(source.datasource_id);
    return label === undefined ? [] : buildReference(source, label);
  });
  return [...new Map(references.map((reference) => [JSON.stringify(reference), reference])).values()];
}

/**
 * Builds a reference to a cited document. If the document is the only one of its datasource, the reference is the id of
 * the datasource. Otherwise, it is the address of the document, else its custom id, else the id of the datasource.
 */
function buildReference(
  { datasource_id: datasourceId, source, custom_id: customId }: CitedSource,
  { documentKey }: DatasourceLabel,
): Reference {
  if (documentKey !== null) return { datasourceId };
  if (source !== null) return { source };
  return customId === null ? { datasourceId } : { customId };
}
