import type { AnswerSource, ConversationResponse, MessageResponse } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import type { MessageRow } from '../database/tables/conversations.js';
import { isUnanswered } from './is-unanswered.js';
import { loadDatasourceLabels } from '../datasources/datasource-repository.js';
import { addSourceAddress, type StoredPassage } from '../source-addresses/source-address.js';
import type { Conversation } from './conversation-repository.js';

/** Converts a stored conversation to the form in which the API returns it. */
export function viewConversation({ id, agentId, visitorId, turns, ...row }: Conversation): ConversationResponse {
  return {
    id,
    agentId,
    visitorId,
    turns,
    messages: row.messages,
    unanswered: row.unanswered,
    feedback: { up: row.feedbackUp, down: row.feedbackDown },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Converts a stored message to the form in which the API returns it. @param apiUrl the public address of the API */
export function viewMessage(apiUrl: string, message: MessageRow): MessageResponse {
  const { id, role, text, state, usage, ...row } = message;
  const sources = message.sources.map((source) => addSourceAddress(apiUrl, source));
  const { answeredBy, visitorId, feedback } = row;
  const unanswered = role === 'assistant' && isUnanswered({ state, sources });
  const createdAt = row.createdAt.toISOString();
  return { id, role, text, state, sources, usage, answeredBy, unanswered, feedback, visitorId, createdAt };
}

/** Empties the texts of sources whose datasources were removed. A background job erases these texts from the database later. */
export async function hideRemovedTexts(
  db: Queries,
  organizationId: string,
  rows: readonly MessageRow[],
): Promise<readonly MessageRow[]> {
  const ids = rows.flatMap(({ sources }) => sources.map((source) => source.datasource_id));
  const labels = await loadDatasourceLabels(db, organizationId, ids);
  const hideTextIfRemoved = (source: StoredPassage<AnswerSource>): StoredPassage<AnswerSource> =>
    labels.has(source.datasource_id) ? source : Object.assign({}, source, { text: '' });
  return rows.map((row) => ({ ...row, sources: row.sources.map(hideTextIfRemoved) }));
}
