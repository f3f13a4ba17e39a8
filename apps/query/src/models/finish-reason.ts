import type { AIMessageChunk } from '@langchain/core/messages';

/** How a model ended its answer. */
export type Ending =
  /** The model had said everything. */
  | 'complete'
  /** The token limit was reached. */
  | 'truncated'
  /** A filter, or the model itself, refused the question or the answer. */
  | 'refused'
  /** The provider stopped in the middle. */
  | 'interrupted';

/** The providers' words for every ending but `complete`. */
const ENDINGS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ...entries('truncated', ['length', 'max_tokens', 'MAX_TOKENS', 'model_context_window_exceeded']),
  ...entries('refused', ['content_filter', 'refusal', 'SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST']),
  ...entries('refused', ['PROHIBITED_CONTENT', 'SPII']),
  ...entries('interrupted', ['error', 'insufficient_system_resource', 'OTHER', 'FINISH_REASON_UNSPECIFIED']),
]);

function entries(ending: Ending, reasons: readonly string[]): (readonly [string, Ending])[] {
  return reasons.map((reason) => [reason, ending]);
}

/** @param reason as the provider reports it; undefined: the stream ended without one, as it does when it is cut */
export function endingOf(reason: string | undefined): Ending {
  return reason === undefined ? 'interrupted' : (ENDINGS.get(reason) ?? 'complete');
}

/** Returns the reason that a chunk carries: OpenAI's and Google's with the response, Anthropic's with the message. */
export function finishReasonOf(chunk: AIMessageChunk): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...chunk.additional_kwargs, ...chunk.response_metadata };
  const { finish_reason: openai, stop_reason: anthropic, finishReason: google } = fields;
  // Google's own reasons are in capitals: LangChain writes `stop` into a chunk that it could not parse.
  return [openai, anthropic, google === 'stop' ? undefined : google].find((reason) => typeof reason === 'string');
}

/** Returns why Google refused a prompt. LangChain drops that response, except for the events of its callbacks. */
export function blockReasonOf(event: unknown): string | undefined {
  const reason = property(property(property(event, 'chunk'), 'promptFeedback'), 'blockReason');
  return typeof reason === 'string' ? reason : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
