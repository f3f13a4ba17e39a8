import { DEFAULT_EVALUATION_TOP_K } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import { findAgentAndRecordUse } from '../agents/agent-with-datastores.js';
import { buildAnswerRequest } from '../answering/ask-agent.js';
import { buildAnswerSources } from '../answering/build-answer-sources.js';
import { readAnswerEvents } from '../answering/send-answer.js';
import type { EvaluationRow } from '../database/tables/evaluations.js';
import type { Gateway } from '../gateway.js';
import { searchDatastore } from '../searching/search-datastore.js';
import { requireOwnSearchTarget } from '../searching/search-target.js';
import { type QueryKind } from '../usage/query-reservations.js';
import { withQueryReservation } from '../usage/with-query-reservation.js';
import type { ScoredPassage } from './score-question.js';

/** A passage that was found for a question: the fields for its scoring, and further fields that are only stored. */
export interface AskedPassage extends ScoredPassage {
  readonly documentKey: string | null;
  readonly page: number | null;
  readonly score: number;
}

export interface AskedOutcome {
  readonly passages: readonly AskedPassage[];
  /** The answer of the agent. Undefined if the question was sent to a datastore. */
  readonly answer: string | undefined;
}

export type AskingParts = Pick<Gateway, 'db' | 'clock' | 'labels' | 'queryService' | 'log'>;
type Target = Pick<EvaluationRow, 'organizationId' | 'datastoreId' | 'agentId' | 'settings'>;

/**
 * Sends a question to the datastore or the agent of an evaluation. The question counts as a query of the organization.
 *
 * @throws Problem if the search or the answer fails
 */
export async function askQuestion(
  parts: AskingParts,
  target: Target,
  query: string,
  signal: AbortSignal,
): Promise<AskedOutcome> {
  return target.agentId === null
    ? searchTargetDatastore(parts, target, query, signal)
    : askAgentWithoutConversation(parts, { ...target, agentId: target.agentId }, query, signal);
}

async function searchTargetDatastore(
  parts: AskingParts,
  { organizationId, datastoreId, settings }: Target,
  query: string,
  signal: AbortSignal,
): Promise<AskedOutcome> {
  const datastore = await requireOwnSearchTarget(parts.db, organizationId, datastoreId ?? '');
  const { topK = DEFAULT_EVALUATION_TOP_K, filters } = settings;
  const request = { query, topK, ...(filters === undefined ? {} : { filters }) };
  const { results } = await countAndRunQuery(parts, organizationId, 'datastoreQueries', async () =>
    searchDatastore(parts, datastore, request, signal),
  );
  return { passages: results.map(toAskedPassage), answer: undefined };
}

/**
 * Asks an agent a question without storing a conversation, so that lists of conversations contain no questions of
 * evaluations.
 */
async function askAgentWithoutConversation(
  parts: AskingParts,
  { organizationId, agentId, settings }: Target & { readonly agentId: string },
  query: string,
  signal: AbortSignal,
): Promise<AskedOutcome> {
  const { db, queryService } = parts;
  const agent = await findAgentAndRecordUse(db, organizationId, agentId);
  const request = buildAnswerRequest(agent, { ...settings, query }, []);
  return countAndRunQuery(parts, organizationId, 'agentQueries', async () => {
    const events = await queryService.answer(request, signal);
    const outcome = await readAnswerEvents(events, signal, async () => Promise.resolve());
    if (outcome.state !== 'complete') throw outcome.problem;
    const sources = await buildAnswerSources(db, organizationId, outcome);
    const passages = sources.map((source) => ({ ...toAskedPassage(source), cited: source.cited }));
    return { passages, answer: outcome.text };
  });
}

async function countAndRunQuery<T>(
  parts: AskingParts & { readonly log: Log },
  organizationId: string,
  kind: QueryKind,
  work: () => Promise<T>,
): Promise<T> {
  const reservation = { organizationId, kind, askedAt: parts.clock() };
  // A failed query counts against the monthly limit only if its client has disconnected. An evaluation has no client.
  return withQueryReservation(parts, { reservation, client: { hasDisconnected: () => false }, log: parts.log }, work);
}

/** A passage that a query found: a result of a search, or a source of an answer. */
interface FoundSource {
  readonly datasource_id: string;
  readonly datasource_name: string;
  readonly document_key: string | null;
  readonly custom_id: string | null;
  readonly source: string | null;
  readonly page: number | null;
  readonly score: number;
  readonly text: string;
}

function toAskedPassage(found: FoundSource): AskedPassage {
  const { datasource_id: datasourceId, datasource_name: datasourceName, custom_id: customId } = found;
  const { document_key: documentKey, source, page, score, text } = found;
  return { datasourceId, datasourceName, documentKey, customId, source, page, score, text };
}
