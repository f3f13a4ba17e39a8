import type { AgentQueryRequest, AgentQueryResponse, QuarryClient } from '@quarry/client';

export interface StreamedAnswer {
  /** Texts of the events with parts of the answer, in order. */
  readonly pieces: readonly string[];
  readonly response: AgentQueryResponse;
}

/**
 * Asks an agent a question, and reads the streamed answer to its end.
 *
 * @throws Error if the stream ends without an event that contains the complete response
 */
export async function readAnswerStream(
  quarry: QuarryClient,
  agentId: string,
  request: AgentQueryRequest,
): Promise<StreamedAnswer> {
  const pieces: string[] = [];
  for await (const event of quarry.streamAgent(agentId, request)) {
    if (event.type === 'response') return { pieces, response: event.response };
    pieces.push(event.text);
  }
  throw new Error('expected the complete response as the last event of the stream, found none');
}
