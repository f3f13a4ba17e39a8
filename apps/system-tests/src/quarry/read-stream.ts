import type { AgentQueryRequest, AgentQueryResponse, QuarryClient } from '@quarry/client';

export interface StreamedAnswer {
  /** The texts of the answer events, in order. */
  readonly pieces: readonly string[];
  readonly response: AgentQueryResponse;
}

/** Reads a streamed answer to its end. @throws QuarryError if the stream ends without the response event */
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
  throw new Error('expected a response at the end of the stream, found none');
}
