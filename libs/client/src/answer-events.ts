import type { AgentQueryResponse } from './types.js';
import { QuarryError } from './quarry-error.js';
import { eventsOf } from './server-sent-events.js';

/** What a streamed answer consists of: pieces of its text, and at the end the whole response with its sources. */
export type AnswerEvent =
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'response'; readonly response: AgentQueryResponse };

const ERROR = '[ERROR]';

/**
 * Reads a streamed answer. Source: interface specification, "Events".
 *
 * @throws QuarryError when the stream says that it failed, or ends without saying anything
 */
export async function* answerEventsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerEvent> {
  let response = '';
  for await (const { name, data } of eventsOf(bytes)) {
    if (name === 'answer') {
      yield { type: 'answer', text: data };
    } else if (name === 'endpoint_response') {
      response += data;
    } else if (data === '[DONE]') {
      yield { type: 'response', response: read(response) };
      return;
    } else if (data.startsWith(ERROR)) {
      throw failure(data.slice(ERROR.length).trim());
    }
  }
  throw new QuarryError(
    200,
    'stream_interrupted',
    'expected [DONE] or [ERROR] at the end of the stream, found neither',
  );
}

function read(json: string): AgentQueryResponse {
  try {
    return JSON.parse(json) as AgentQueryResponse; // the document says so
  } catch {
    throw new QuarryError(200, 'unexpected_answer', `expected a response in JSON, found ${json.slice(0, 100)}`);
  }
}

/** `code: message`; what has no code is all message. */
function failure(text: string): QuarryError {
  const [, code, message] = /^([a-z][a-z0-9_]*): (.*)$/s.exec(text) ?? [];
  if (code === undefined || message === undefined) return new QuarryError(200, 'answer_failed', text);
  return new QuarryError(200, code, message);
}
