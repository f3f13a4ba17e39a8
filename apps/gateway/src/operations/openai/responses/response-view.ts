import type { AgentQueryResponse, AnswerUsage, MessageState } from '@quarry/contracts';
import { getIdTime } from '../../../database/id.js';
import {
  buildMessageItem,
  buildSearchItem,
  buildTextPart,
  listResponseAnnotations,
  type ReportedSearch,
} from './response-items.js';
import { RESULTS, type ResponseParameters } from './response-request.js';
import type { ResponseObject, ResponseStatus } from './response-shapes.js';
import type { WithFiles } from '../answers/source-files.js';
import { formatResourceId } from '../protocol/resource-ids.js';
import { toUnixTime } from '../protocol/unix-time.js';
import type { EndedAnswer } from '../answers/send-events.js';

/** Contains those values of a response that do not come from the answer. */
export interface ResponseView {
  readonly request: ResponseParameters;
  /** The text of the question that the response answers. */
  readonly query: string;
  /** The public address of Quarry’s API. */
  readonly apiUrl: string;
  readonly isStored: boolean;
}

/** The ids of an answer and of its conversation. */
export type AnswerIds = Pick<AgentQueryResponse, 'messageId' | 'conversationId'>;

/** An answer that has ended. */
type ShownAnswer = WithFiles<
  AnswerIds & Pick<EndedAnswer, 'answer' | 'sources' | 'notes' | 'endedAt'> & { readonly usage: AnswerUsage | null }
>;

/** A response as a plain object. */
type ResponseBody = Pick<ResponseObject, keyof ResponseObject>;

const MILLISECONDS = 1_000;

/** Builds a response whose answer has ended. */
export function buildEndedResponse(
  view: ResponseView,
  ended: ShownAnswer,
  state: MessageState = 'complete',
): ResponseBody {
  const status = getResponseStatus(ended, state);
  const { messageId, answer, sources, notes, usage, endedAt } = ended;
  const part = buildTextPart(answer, listResponseAnnotations(view.apiUrl, ended));
  const message = buildMessageItem(messageId, status === 'completed' ? 'completed' : 'incomplete', [part]);
  const search = getReportedSearch(view);
  return {
    ...buildStartedResponse(view, ended),
    status,
    completed_at: status === 'completed' && endedAt !== undefined ? toUnixTime(new Date(endedAt)) : null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    error: status === 'failed' ? { code: 'server_error', message: 'The answer failed. Repeat the request.' } : null,
    output: [...(search === undefined ? [] : [buildSearchItem(messageId, search, ended)]), message],
    usage: usage === null ? null : buildResponseUsage(usage),
    sources,
    notes,
  };
}

/** Builds a response whose answer has started. */
export function buildStartedResponse(
  { request, isStored }: Pick<ResponseView, 'request' | 'isStored'>,
  { messageId, conversationId }: AnswerIds,
): ResponseBody {
  return {
    id: formatResourceId('response', messageId),
    object: 'response',
    created_at: Math.floor(getIdTime(messageId) / MILLISECONDS),
    status: 'in_progress',
    completed_at: null,
    ...{ background: false, error: null, incomplete_details: null, output: [], usage: null, sources: [], notes: [] },
    conversation: isStored ? { id: formatResourceId('conversation', conversationId) } : null,
    ...buildEchoedParameters(request),
    ...FIXED,
    store: isStored,
  };
}

/** Parameters for which only one value is supported. */
const FIXED = {
  parallel_tool_calls: true,
  prompt: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
  reasoning: { effort: null, summary: null },
  moderation: null,
  service_tier: 'default',
  text: { format: { type: 'text' } },
  top_logprobs: 0,
  truncation: 'auto',
} as const;

function buildEchoedParameters(request: ResponseParameters) {
  return {
    model: request.model,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    metadata: request.metadata ?? {},
    previous_response_id: request.previous_response_id ?? null,
    safety_identifier: request.safety_identifier ?? null,
    temperature: request.temperature ?? null,
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? null,
    user: request.user ?? null,
  };
}

/** Returns the search that the response contains as an output item. Undefined: the request has no search tool. */
export function getReportedSearch({ request, query }: ResponseView): ReportedSearch | undefined {
  const [tool] = request.tools ?? [];
  return tool && { query, hasResults: request.include?.includes(RESULTS) === true };
}

function buildResponseUsage({ promptTokens, completionTokens }: AnswerUsage): NonNullable<ResponseObject['usage']> {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + completionTokens,
  };
}

function getResponseStatus({ notes }: ShownAnswer, state: MessageState): ResponseStatus {
  if (state === 'failed') return 'failed';
  if (state === 'interrupted') return 'cancelled';
  return notes.includes('answer_truncated') ? 'incomplete' : 'completed';
}
