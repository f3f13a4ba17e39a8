import type { AnswerNote } from '@quarry/contracts';

/** Settings of text generation. A setting that the provider does not support is omitted and reported as a note. */
export interface ChatSettings {
  /** Sampling temperature, between 0 and 1. */
  readonly temperature?: number;
  /** Maximum number of tokens of the answer. */
  readonly maxTokens?: number;
  /** Nucleus sampling threshold, between 0 and 1. */
  readonly topP?: number;
  /** Penalty for tokens that the text already contains, between -2 and 2. */
  readonly presencePenalty?: number;
  /** Penalty for tokens in proportion to their frequency in the text, between -2 and 2. */
  readonly frequencyPenalty?: number;
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface ChatCall {
  /** System prompt; undefined to send none. */
  readonly system: string | undefined;
  /** Messages, oldest first. The last one is the user's. */
  readonly messages: readonly ChatMessage[];
  readonly settings: ChatSettings;
  readonly signal: AbortSignal;
}

export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * Describes a part of an answer. Notes and `usage` follow the text. `usage` occurs at most once, and only if the
 * provider reports it.
 */
export type ChatPiece =
  | { readonly text: string }
  | { readonly usage: TokenUsage }
  /** Reports that the answer deviates from the request, for example that a setting was omitted. */
  | { readonly note: AnswerNote };

/**
 * Generates answers to prompts. Its guarantees:
 *
 * - `generate` yields pieces of text as they arrive. An answer without text, or of only white space, is a failure.
 * - `generate` ends without an error only if the model ended the answer. At the token limit it adds the note
 *   `answer_truncated`; every other end is a failure.
 * - When the signal aborts, the request to the provider ends, and `generate` throws the signal's reason soon after.
 * - Every error and refusal of the provider is thrown as `ModelFailed`.
 */
export interface ChatModel {
  /** Provider and model for logs, such as `openai/gpt-4o-mini`. */
  readonly name: string;
  generate(call: ChatCall): AsyncIterable<ChatPiece>;
}

export type ModelFailure =
  /** The provider limits the request rate. */
  | 'model_rate_limited'
  /** The provider is unreachable or reports an internal error. */
  | 'model_unavailable'
  /** The first text did not arrive within the time limit, or the provider reports a timeout. */
  | 'model_timeout'
  /** The response has an unexpected format, or no text. */
  | 'model_invalid_response'
  /** The connection closed, the provider stopped, or the next text came too late, before the end of the answer. */
  | 'model_interrupted'
  /** The provider refuses the key, the model, the request or its content. */
  | 'model_refused'
  /** The provider refuses the value of a setting. */
  | 'model_parameter_refused'
  /** The prompt exceeds the context window of the model. */
  | 'context_too_long';

export interface ModelFailedOptions extends ErrorOptions {
  /** Marks a failure that a retry of the same call may resolve. */
  readonly isRetryable?: boolean;
  /** Marks an answer that reached its token limit before its first text, as answers of reasoning models can. */
  readonly hasReachedTokenLimit?: boolean;
  /** Delay that the provider requires before a retry, in milliseconds. */
  readonly afterMs?: number | undefined;
  /** HTTP status of the provider's response. */
  readonly status?: number | undefined;
  /** Settings whose values the provider refuses. */
  readonly refused?: ChatSettings;
}

/** Reports that a model failed to answer. The message is for logs only, because it may quote the provider. */
export class ModelFailed extends Error {
  readonly code: ModelFailure;
  readonly isRetryable: boolean;
  readonly hasReachedTokenLimit: boolean;
  readonly afterMs: number | undefined;
  readonly status: number | undefined;
  readonly refused: ChatSettings;

  constructor(code: ModelFailure, message: string, options: ModelFailedOptions = {}) {
    super(message, options);
    this.name = 'ModelFailed';
    this.code = code;
    this.isRetryable = options.isRetryable ?? false;
    this.hasReachedTokenLimit = options.hasReachedTokenLimit ?? false;
    this.afterMs = options.afterMs;
    this.status = options.status;
    this.refused = options.refused ?? {};
  }
}
