import type { AIMessageChunk } from '@langchain/core/messages';

/** Describes how an answer ended. */
export type Ending =
  /** The answer is complete. */
  | 'complete'
  /** The answer reached the token limit. */
  | 'truncated'
  /** A filter or the model refused the question or the answer. */
  | 'refused'
  /** The provider stopped before the end of the answer. */
  | 'interrupted';

/** Maps the finish reasons of all providers to endings. Every other reason means `complete`. */
const ENDINGS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ...toEntries('truncated', ['length', 'max_tokens', 'MAX_TOKENS', 'model_context_window_exceeded']),
  ...toEntries('refused', ['content_filter', 'refusal', 'SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST']),
  ...toEntries('refused', ['PROHIBITED_CONTENT', 'SPII']),
  ...toEntries('interrupted', ['error', 'insufficient_system_resource', 'OTHER', 'FINISH_REASON_UNSPECIFIED']),
]);

function toEntries(ending: Ending, reasons: readonly string[]): (readonly [string, Ending])[] {
  return reasons.map((reason) => [reason, ending]);
}

/** Converts the finish reason of a provider to an ending. Undefined means that the connection closed early. */
export function toEnding(reason: string | undefined): Ending {
  return reason === undefined ? 'interrupted' : (ENDINGS.get(reason) ?? 'complete');
}

/** Finds the finish reason of a chunk. OpenAI and Google send it with the response, Anthropic with the message. */
export function findFinishReason(chunk: AIMessageChunk): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...chunk.additional_kwargs, ...chunk.response_metadata };
  const { finish_reason: openai, stop_reason: anthropic, finishReason: google } = fields;
  // Google's own reasons are in capitals; LangChain adds `stop` to a chunk that it could not parse.
  return [openai, anthropic, google === 'stop' ? undefined : google].find((reason) => typeof reason === 'string');
}

/** Finds the reason for which Google blocked a prompt, in an event of LangChain's callbacks. LangChain's stream omits it. */
export function findBlockReason(event: unknown): string | undefined {
  const reason = getProperty(getProperty(getProperty(event, 'chunk'), 'promptFeedback'), 'blockReason');
  return typeof reason === 'string' ? reason : undefined;
}

function getProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
