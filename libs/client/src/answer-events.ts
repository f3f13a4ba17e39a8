import type { AgentQueryResponse } from './types.js';
import { QuarryError } from './quarry-error.js';
import { parseServerSentEvents } from './server-sent-events.js';

/**
 * Describes an event of a streamed answer: a piece of the text, or, at the end, the whole response with the sources.
 */
export type AnswerEvent =
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'response'; readonly response: AgentQueryResponse };

const ERROR = '[ERROR]';

/**
 * Parses a streamed answer. Source: docs/interface.md#events.
 *
 * @param onId receives the id of each text event; only the events of resumable streams have ids
 * @throws QuarryError if the stream reports an error, or ends without an end marker
 */
export async function* parseAnswerEvents(
  bytes: AsyncIterable<Uint8Array>,
  onId: (id: string) => void = () => undefined,
): AsyncGenerator<AnswerEvent> {
  let response = '';
  for await (const { name, data, id } of parseServerSentEvents(bytes)) {
    if (name === 'answer') {
      if (id !== undefined) onId(id);
      yield { type: 'answer', text: data };
    } else if (name === 'endpoint_response') {
      response += data;
    } else if (data === '[DONE]') {
      yield { type: 'response', response: parseAgentResponse(response) };
      return;
    } else if (data.startsWith(ERROR)) {
      throw parseStreamError(data.slice(ERROR.length).trim());
    }
  }
  throw new QuarryError(
    200,
    'stream_interrupted',
    'expected [DONE] or [ERROR] at the end of the stream, found neither',
  );
}

function parseAgentResponse(json: string): AgentQueryResponse {
  try {
    return JSON.parse(json) as AgentQueryResponse; // shape guaranteed by the OpenAPI document
  } catch {
    throw new QuarryError(
      200,
      'unexpected_answer',
      `expected JSON in the event \`endpoint_response\`, found text that starts with: ${json.slice(0, 100)}`,
    );
  }
}

/** Parses an error of the form `code: message`. An error without a code gets the code `answer_failed`. */
function parseStreamError(text: string): QuarryError {
  const [, code, message] = /^([a-z][a-z0-9_]*): (.*)$/s.exec(text) ?? [];
  if (code === undefined || message === undefined) return new QuarryError(200, 'answer_failed', text);
  return new QuarryError(200, code, message);
}
