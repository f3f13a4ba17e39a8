import type { AgentQueryResponse } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { buildErrorReply } from '../protocol/error-body.js';
import {
  buildMessageItem,
  buildSearchItem,
  buildTextPart,
  formatSearchId,
  listResponseAnnotations,
} from './response-items.js';
import {
  type AnswerIds,
  getReportedSearch,
  type ResponseView,
  buildEndedResponse,
  buildStartedResponse,
} from './response-view.js';
import { formatResourceId } from '../protocol/resource-ids.js';
import { type AnswerFrames, formatEventFrame } from '../answers/send-events.js';
import type { WithFiles } from '../answers/source-files.js';

type Emit = (type: string, fields: object) => string;

/**
 * Creates the frames of a streamed response. The output item of a search ends together with the answer, because the
 * found passages are unknown until then.
 */
export function createResponseFrames(view: ResponseView, ids: AnswerIds): AnswerFrames {
  let number = 0;
  let sent = '';
  const emit: Emit = (type, fields) => {
    const event = { type, sequence_number: number, ...fields };
    number += 1;
    return formatEventFrame(event, type);
  };
  const started = buildStartedResponse(view, ids);
  const message = createMessageItemFrames(emit, view, ids);
  const search = createSearchItemFrames(emit, view, ids);
  return {
    begin: () => {
      const response = started;
      return emit('response.created', { response }) + emit('response.in_progress', { response }) + search.begin();
    },
    text: (piece) => {
      const opened = sent === '' ? search.complete() + message.begin() : '';
      sent += piece;
      return opened + message.text(piece);
    },
    complete: (answer) => {
      const response = buildEndedResponse(view, answer);
      const opened = sent === '' ? search.complete() + message.begin() : '';
      const closed = message.end(answer, response.output.at(-1)) + search.end(answer);
      return opened + closed + emit(`response.${response.status}`, { response });
    },
    fail: (problem) => emit('response.failed', { response: buildFailedResponse(view, ids, { problem, text: sent }) }),
  };
}

function buildFailedResponse(
  view: ResponseView,
  ids: AnswerIds,
  { problem, text }: { readonly problem: Problem; readonly text: string },
): object {
  const { code, message } = buildErrorReply(problem).body.error;
  const output = text === '' ? [] : [buildMessageItem(ids.messageId, 'incomplete', [buildTextPart(text, [])])];
  return { ...buildStartedResponse(view, ids), status: 'failed', error: { code, message }, output };
}

/** Creates the frames of the output item of a search. All frames are empty texts if the response has no search. */
function createSearchItemFrames(emit: Emit, view: ResponseView, { messageId }: AnswerIds) {
  const search = getReportedSearch(view);
  if (search === undefined) return { begin: () => '', complete: () => '', end: () => '' };
  const place = { output_index: 0, item_id: formatSearchId(messageId) };
  return {
    begin: () =>
      emit('response.output_item.added', { output_index: 0, item: buildSearchItem(messageId, search, undefined) }) +
      emit('response.file_search_call.in_progress', place) +
      emit('response.file_search_call.searching', place),
    complete: () => emit('response.file_search_call.completed', place),
    end: (answer: WithFiles<AgentQueryResponse>) =>
      emit('response.output_item.done', { output_index: 0, item: buildSearchItem(messageId, search, answer) }),
  };
}

/** Creates the frames of the output item that contains the answer. */
function createMessageItemFrames(emit: Emit, view: ResponseView, { messageId }: AnswerIds) {
  const index = getReportedSearch(view) === undefined ? 0 : 1;
  const place = { item_id: formatResourceId('message', messageId), output_index: index, content_index: 0 };
  return {
    begin: () =>
      emit('response.output_item.added', {
        output_index: index,
        item: buildMessageItem(messageId, 'in_progress', []),
      }) + emit('response.content_part.added', { ...place, part: buildTextPart('', []) }),
    text: (delta: string) => emit('response.output_text.delta', { ...place, delta, logprobs: [] }),
    end: (answer: WithFiles<AgentQueryResponse>, item: object | undefined) => {
      const text = answer.answer;
      const annotations = listResponseAnnotations(view.apiUrl, answer);
      const cited = annotations.map((annotation, at) =>
        emit('response.output_text.annotation.added', { ...place, annotation_index: at, annotation }),
      );
      return [
        ...cited,
        emit('response.output_text.done', { ...place, text, logprobs: [] }),
        emit('response.content_part.done', { ...place, part: buildTextPart(text, annotations) }),
        emit('response.output_item.done', { output_index: index, item }),
      ].join('');
    },
  };
}
