import type { AnswerNote } from '@quarry/contracts';

/** How a model generates. A setting that the provider lacks is not passed on; a note reports it. */
export interface ChatSettings {
  /** Between 0 and 1. */
  readonly temperature?: number;
  /** The most tokens the answer may have. */
  readonly maxTokens?: number;
  /** Between 0 and 1. */
  readonly topP?: number;
  /** Between -2 and 2. */
  readonly presencePenalty?: number;
  /** Between -2 and 2. */
  readonly frequencyPenalty?: number;
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface ChatCall {
  /** Undefined: the model is given no system prompt. */
  readonly system: string | undefined;
  /** Oldest first; the last is the user's. */
  readonly messages: readonly ChatMessage[];
  readonly settings: ChatSettings;
  readonly signal: AbortSignal;
}

export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Notes and `usage` follow the text. `usage` comes at most once, and only from providers that count. */
export type ChatPiece =
  | { readonly text: string }
  | { readonly usage: TokenUsage }
  /** Reports what was not done as requested. */
  | { readonly note: AnswerNote };

/**
 * A model that can be talked to. Its guarantees:
 *
 * - `generate` yields pieces of text as they arrive; an answer without any text is a failure.
 * - `generate` ends without an error only when the model ended the answer. An answer that the token limit ended has the note
 *   `answer_truncated`; one that ends for any other reason is a failure.
 * - When the signal aborts, the call to the provider ends, and `generate` throws the signal's reason soon after.
 * - Whatever the provider does wrong or refuses is thrown as `ModelFailed`.
 */
export interface ChatModel {
  /** Provider and model, such as `openai/gpt-4o-mini`: for logs. */
  readonly name: string;
  generate(call: ChatCall): AsyncIterable<ChatPiece>;
}

export type ModelFailure =
  /** The provider asks to come back later. */
  | 'model_rate_limited'
  /** The provider cannot be reached, or reports a fault of its own. */
  | 'model_unavailable'
  /** No text arrived within the time limit. */
  | 'model_timeout'
  /** The response is not that of a model, or has no text. */
  | 'model_invalid_response'
  /** The answer ended in the middle: the stream was cut, or the provider stopped. */
  | 'model_interrupted'
  /** The provider refuses the key, the model, the request or its content. */
  | 'model_refused'
  /** The provider refuses the value of a setting. */
  | 'model_parameter_refused'
  /** The prompt is longer than the model can read. */
  | 'context_too_long';

export interface ModelFailedOptions extends ErrorOptions {
  /** Whether the same call may succeed when it is made again. */
  readonly again?: boolean;
  /** How long the provider asks to wait. */
  readonly afterMs?: number | undefined;
  /** HTTP status of the provider's response. */
  readonly status?: number | undefined;
  /** The settings whose values the provider refuses. */
  readonly refused?: ChatSettings;
}

/** A model gave no answer. The message is for logs: it may quote the provider. */
export class ModelFailed extends Error {
  readonly code: ModelFailure;
  readonly again: boolean;
  readonly afterMs: number | undefined;
  readonly status: number | undefined;
  readonly refused: ChatSettings;

  constructor(code: ModelFailure, message: string, options: ModelFailedOptions = {}) {
    super(message, options);
    this.name = 'ModelFailed';
    this.code = code;
    this.again = options.again ?? false;
    this.afterMs = options.afterMs;
    this.status = options.status;
    this.refused = options.refused ?? {};
  }
}
