import type { AnswerSource, ConversationResponse, MessageResponse } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import type { MessageRow, StoredSource } from '../database/tables/conversations.js';
import { isUnanswered } from './is-unanswered.js';
import { loadDatasourceLabels } from '../datasources/datasource-repository.js';
import { toApiDocumentKey } from '../datasources/document-view.js';
import { addSourceAddress, findDocumentUrl, type StoredPassage } from '../source-addresses/source-address.js';
import type { Conversation } from './conversation-repository.js';

/** Builds the API response of a stored conversation. */
export function buildConversationResponse({
  id,
  agentId,
  visitorId,
  turns,
  ...row
}: Conversation): ConversationResponse {
  return {
    id,
    agentId,
    visitorId,
    firstQuestion: row.firstQuestion,
    turns,
    messages: row.messages,
    unanswered: row.unanswered,
    feedback: { up: row.feedbackUp, down: row.feedbackDown },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Builds the API response of a stored message. @param apiUrl the public address of the API */
export function buildMessageResponse(apiUrl: string, message: CurrentMessage): MessageResponse {
  const { id, role, text, state, usage, ...row } = message;
  const sources = message.sources.map((source) => addSourceAddress(apiUrl, source));
  const { answeredBy, visitorId, feedback } = row;
  const unanswered = role === 'assistant' && isUnanswered({ state, sources });
  const createdAt = row.createdAt.toISOString();
  return { id, role, text, state, sources, usage, answeredBy, unanswered, feedback, visitorId, createdAt };
}

/** A stored message whose sources are up to date. */
export interface CurrentMessage extends Omit<MessageRow, 'sources'> {
  readonly sources: readonly StoredPassage<AnswerSource>[];
}

/**
 * Returns stored messages with up-to-date sources. Does not change the database. A source whose datasource is a single
 * document gets the current document key, because this key changes with the name of the datasource. An item without a
 * URL gets the URL of its listing, because earlier versions stored none. A source whose datasource was removed gets an
 * empty text, because the stored text is erased later.
 */
export async function refreshMessageSources(
  db: Queries,
  organizationId: string,
  rows: readonly MessageRow[],
): Promise<readonly CurrentMessage[]> {
  const ids = rows.flatMap(({ sources }) => sources.map((source) => source.datasource_id));
  const labels = await loadDatasourceLabels(db, organizationId, ids);
  const refreshSource = (source: StoredSource): StoredPassage<AnswerSource> => {
    const label = labels.get(source.datasource_id);
    const { document_key: key = null } = source;
    return label === undefined
      ? { ...source, document_key: key, text: '' }
      : {
          ...source,
          source: findDocumentUrl(source.source, label),
          document_key: toApiDocumentKey(label, key),
        };
  };
  return rows.map((row) => ({ ...row, sources: row.sources.map(refreshSource) }));
}
