import type { AgentQueryResponse, AnswerSource } from '@quarry/contracts';
import { type Citation, listCitations } from '../answers/citations.js';
import { formatResourceId } from '../protocol/resource-ids.js';

/** The prefix of the ids of searches. */
export const SEARCH_PREFIX = 'fs_';

/** Describes the search of a response. */
export interface ShownSearch {
  readonly query: string;
  /** True if the item contains the passages. */
  readonly hasResults: boolean;
}

/** Builds the item of a search. @param sources what it found; undefined while it searches */
export function buildSearchItem(
  messageId: string,
  { query, hasResults }: ShownSearch,
  sources: readonly AnswerSource[] | undefined,
): object {
  return {
    type: 'file_search_call',
    id: formatSearchId(messageId),
    status: sources === undefined ? 'in_progress' : 'completed',
    queries: [query],
    results: sources !== undefined && hasResults ? sources.map(viewResult) : null,
  };
}

/** Returns the id of the item of a search. */
export function formatSearchId(messageId: string): string {
  return SEARCH_PREFIX + messageId;
}

/** Returns a passage. Its `attributes` are empty, because answers do not report the metadata of their sources. */
function viewResult({ datasource_id: id, datasource_name: filename, score, text }: AnswerSource): object {
  return { file_id: formatResourceId('file', id), filename, score, text, attributes: {} };
}

/** Builds the item of an answer. */
export function buildMessageItem(
  messageId: string,
  status: 'in_progress' | 'completed' | 'incomplete',
  content: readonly object[],
): object {
  return { type: 'message', id: formatResourceId('message', messageId), role: 'assistant', status, content };
}

/** Builds the content of an answer. */
export function buildTextPart(text: string, annotations: readonly object[]): object {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

/** Lists the citations of an answer in the form of responses. */
export function listResponseAnnotations(
  apiUrl: string,
  response: Pick<AgentQueryResponse, 'answer' | 'sources'>,
): readonly object[] {
  return listCitations(apiUrl, response).map(viewCitation);
}

function viewCitation({ source, start, end, isFile }: Citation): object {
  const { datasource_id: id, datasource_name: name, source: url } = source;
  if (isFile) return { type: 'file_citation', file_id: formatResourceId('file', id), filename: name, index: end };
  return { type: 'url_citation', url, title: name, start_index: start, end_index: end };
}
