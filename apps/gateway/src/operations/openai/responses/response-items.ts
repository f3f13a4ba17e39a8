import type { AgentQueryResponse, AnswerSource } from '@quarry/contracts';
import { type Citation, listCitations } from '../answers/citations.js';
import type { FindFile, WithFiles } from '../answers/source-files.js';
import { formatResourceId } from '../protocol/resource-ids.js';

/** The prefix of the ids of output items of searches. */
export const SEARCH_PREFIX = 'fs_';

/** Describes the search that a response reports as an output item. */
export interface ReportedSearch {
  readonly query: string;
  /** True if the output item of the search contains the found passages. */
  readonly hasResults: boolean;
}

/**
 * Builds the output item of a search.
 *
 * @param found the passages and their files; undefined while the search is in progress
 */
export function buildSearchItem(
  messageId: string,
  { query, hasResults }: ReportedSearch,
  found: WithFiles<Pick<AgentQueryResponse, 'sources'>> | undefined,
): object {
  return {
    type: 'file_search_call',
    id: formatSearchId(messageId),
    status: found === undefined ? 'in_progress' : 'completed',
    queries: [query],
    results:
      found !== undefined && hasResults
        ? found.sources.map((source) => buildSearchResult(source, found.findFile))
        : null,
  };
}

/** Returns the id of the output item of a search. */
export function formatSearchId(messageId: string): string {
  return SEARCH_PREFIX + messageId;
}

function buildSearchResult(source: AnswerSource, findFile: FindFile): object {
  const { datasource_name: filename, score, text } = source;
  const { id, attributes } = findFile(source);
  return { file_id: id, filename, score, text, attributes };
}

/** Builds the output item that contains an answer: a message. */
export function buildMessageItem(
  messageId: string,
  status: 'in_progress' | 'completed' | 'incomplete',
  content: readonly object[],
): object {
  return { type: 'message', id: formatResourceId('message', messageId), role: 'assistant', status, content };
}

/** Builds the content part with the text of an answer and its citations. */
export function buildTextPart(text: string, annotations: readonly object[]): object {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

/** Lists the citations of an answer in the form that the Responses API defines. */
export function listResponseAnnotations(
  apiUrl: string,
  response: WithFiles<Pick<AgentQueryResponse, 'answer' | 'sources'>>,
): readonly object[] {
  return listCitations(apiUrl, response).map((citation) => buildCitationAnnotation(citation, response.findFile));
}

function buildCitationAnnotation({ source, start, end, isFile }: Citation, findFile: FindFile): object {
  const { datasource_name: name, source: url } = source;
  if (isFile) return { type: 'file_citation', file_id: findFile(source).id, filename: name, index: end };
  return { type: 'url_citation', url, title: name, start_index: start, end_index: end };
}
