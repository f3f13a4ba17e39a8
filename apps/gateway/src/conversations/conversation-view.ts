import type { AnswerSource, ConversationResponse, MessageResponse } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import type { MessageRow } from '../database/tables/conversations.js';
import { loadDatasourceLabels } from '../datasources/datasource-repository.js';
import type { Conversation } from './conversation-repository.js';

/** Returns a conversation as the API shows it. */
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

/** Returns a message as the API shows it. */
export function viewMessage({ id, role, text, state, sources, usage, ...row }: MessageRow): MessageResponse {
  const { answeredBy, visitorId } = row;
  return { id, role, text, state, sources, usage, answeredBy, visitorId, createdAt: row.createdAt.toISOString() };
}

/** Omits the texts of removed datasources, which are erased from the rows in steps. */
export async function hideRemovedTexts(
  db: Queries,
  organizationId: string,
  rows: readonly MessageRow[],
): Promise<readonly MessageRow[]> {
  const ids = rows.flatMap(({ sources }) => sources.map((source) => source.datasource_id));
  const labels = await loadDatasourceLabels(db, organizationId, ids);
  const shown = (source: AnswerSource): AnswerSource =>
    labels.has(source.datasource_id) ? source : Object.assign({}, source, { text: '' });
  return rows.map((row) => ({ ...row, sources: row.sources.map(shown) }));
}
