import type { AgentQueryResponse } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { getIdTime } from '../../../database/id.js';
import type { ChatCompletion } from './chat-completion-shapes.js';
import { type Citation, listCitations } from '../answers/citations.js';
import { buildErrorReply } from '../protocol/error-body.js';
import { type AnswerFrames, formatEventFrame } from '../answers/send-events.js';
import type { FindFile, WithFiles } from '../answers/source-files.js';

/** Contains the values that a response has in addition to its answer. */
export interface ChatView {
  /** The model name of the request. */
  readonly model: string;
  /** The public address of Quarry’s API. */
  readonly apiUrl: string;
  readonly isStored: boolean;
  readonly metadata: object;
}

const MILLISECONDS = 1_000;

/** Builds the response of a chat completion. */
export function buildChatCompletion(view: ChatView, response: WithFiles<AgentQueryResponse>): ChatCompletion {
  const message = { role: 'assistant', content: response.answer, refusal: null } as const;
  const annotations = listAnnotations(view, response);
  const choice = { index: 0, message: { ...message, annotations }, logprobs: null };
  return {
    ...buildCompletionHead(view, response.messageId, 'chat.completion'),
    choices: [{ ...choice, finish_reason: getFinishReason(response) }],
    usage: buildChatUsage(response),
    metadata: view.metadata,
    ...buildExtensionFields(view, response),
  };
}

/** Creates the frames of a streamed chat completion. @param hasUsage adds an event with the token usage */
export function createChatFrames(view: ChatView, messageId: string, hasUsage: boolean): AnswerFrames {
  const head = buildCompletionHead(view, messageId, 'chat.completion.chunk');
  const formatChunk = (delta: object, reason: string | null = null, more: object = {}): string => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: reason }];
    return formatEventFrame({ ...head, choices, ...(hasUsage ? { usage: null } : {}), ...more });
  };
  return {
    begin: () => formatChunk({ role: 'assistant', content: '', refusal: null }),
    text: (piece) => formatChunk({ content: piece }),
    complete: (response) => {
      const annotations = listAnnotations(view, response);
      const last = formatChunk({ annotations }, getFinishReason(response), buildExtensionFields(view, response));
      const usage = hasUsage ? formatEventFrame({ ...head, choices: [], usage: buildChatUsage(response) }) : '';
      return last + usage + formatEventFrame('[DONE]');
    },
    fail: (problem: Problem) => formatEventFrame(buildErrorReply(problem).body),
  };
}

/** Builds the fields that a chat completion and each chunk of its stream have in common. */
function buildCompletionHead<Kind extends string>({ model }: ChatView, messageId: string, object: Kind) {
  const created = Math.floor(getIdTime(messageId) / MILLISECONDS);
  return { id: `chatcmpl-${messageId}`, object, created, model, service_tier: 'default' as const };
}

/** Builds the fields of a chat completion that OpenAI's API does not define. */
function buildExtensionFields(
  { isStored }: ChatView,
  { sources, conversationId, notes }: AgentQueryResponse,
): Pick<ChatCompletion, 'sources' | 'conversation_id' | 'notes'> {
  return { sources, conversation_id: isStored ? conversationId : null, notes };
}

function buildChatUsage({ usage: { promptTokens, completionTokens } }: AgentQueryResponse): ChatCompletion['usage'] {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

function getFinishReason({ notes }: AgentQueryResponse): 'stop' | 'length' {
  return notes.includes('answer_truncated') ? 'length' : 'stop';
}

function listAnnotations({ apiUrl }: ChatView, response: WithFiles<AgentQueryResponse>): readonly object[] {
  return listCitations(apiUrl, response).map((citation) => buildCitationAnnotation(citation, response.findFile));
}

/**
 * Builds the annotation of a citation in a chat completion. Its type is always `url_citation`, because clients of chat
 * completions refuse other types. The annotation of a file has the additional field `file_citation`, an extension.
 */
function buildCitationAnnotation({ source, start, end, isFile }: Citation, findFile: FindFile): object {
  const { datasource_name: name, source: url } = source;
  const place = { start_index: start, end_index: end, url, title: name };
  const file = { file_id: findFile(source).id, filename: name, index: end };
  return { type: 'url_citation', url_citation: place, ...(isFile ? { file_citation: file } : {}) };
}
