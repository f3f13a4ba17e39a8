import type { AnswerSource, ConversationResponse, MessageResponse } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import type { MessageRow } from '../database/tables/conversations.js';
import { loadDatasourceLabels } from '../datasources/datasource-repository.js';
import type { Conversation } from './conversation-repository.js';

/** Converts a stored conversation to the form in which the API returns it. */
export function viewConversation({ id, agentId, visitorId, turns, ...row }: Conversation): ConversationResponse {
  return {
    id,
    agentId,
    visitorId,
    turns,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Converts a stored message to the form in which the API returns it. */
export function viewMessage({ id, role, text, state, sources, usage, ...row }: MessageRow): MessageResponse {
  const { answeredBy, visitorId } = row;
  return { id, role, text, state, sources, usage, answeredBy, visitorId, createdAt: row.createdAt.toISOString() };
}

/** Empties the texts of sources whose datasources were removed. A background job erases these texts from the database later. */
export async function hideRemovedTexts(
  db: Queries,
  organizationId: string,
  rows: readonly MessageRow[],
): Promise<readonly MessageRow[]> {
  const ids = rows.flatMap(({ sources }) => sources.map((source) => source.datasource_id));
  const labels = await loadDatasourceLabels(db, organizationId, ids);
  const hideTextIfRemoved = (source: AnswerSource): AnswerSource =>
    labels.has(source.datasource_id) ? source : Object.assign({}, source, { text: '' });
  return rows.map((row) => ({ ...row, sources: row.sources.map(hideTextIfRemoved) }));
}
