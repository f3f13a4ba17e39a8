import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import { redactError } from '@quarry/encrypted-secrets';
import { parseRetryAfter } from '@quarry/http-headers';
import { type ChatCall, type ChatModel, type ChatPiece, type ChatSettings, ModelFailed } from './chat-model.js';

/** Opens a LangChain client for one call of a model. Settings are fixed per client, so each call opens a new one. */
export type OpenClient = (settings: ChatSettings) => BaseChatModel;

/** Holds what a call has received so far: whether there is text, why the answer ended, and its token usage. */
interface Received {
  hasText: boolean;
  finishReason: string | undefined;
  /** Reason for which the provider refused the prompt. */
  blockReason: string | undefined;
  promptTokens: number;
  completionTokens: number;
}

/**
 * Creates a `ChatModel` from the LangChain client of any provider.
 *
 * @param name provider and model, for logs
 * @param apiKey key of the provider, which failures must not contain. Some providers quote it.
 */
export function createLangchainModel(name: string, openClient: OpenClient, apiKey?: string): ChatModel {
  return {
    name,
    generate: async function* (call) {
      const readerLeft = new AbortController();
      const signal = AbortSignal.any([call.signal, readerLeft.signal]);
      const received: Received = {
        ...{ hasText: false, finishReason: undefined, blockReason: undefined },
        ...{ promptTokens: 0, completionTokens: 0 },
      };
      const handleCustomEvent = (_: string, event: unknown): void => {
        received.blockReason ??= findBlockReason(event);
      };
      try {
        call.signal.throwIfAborted();
        const options = { signal, callbacks: [{ handleCustomEvent, awaitHandlers: true }] };
        const chunks = await openClient(call.settings).stream(toMessages(call), options);
        yield* streamTexts(chunks, received, () => {
          readerLeft.abort();
        });
        yield* finishAnswer(name, received);
      } catch (error) {
        call.signal.throwIfAborted();
        redactError(error, apiKey);
        const failure = toModelFailed(name, error);
        throw received.hasText ? toInterrupted(failure) : failure;
      }
    },
  };
}

async function* streamTexts(
  chunks: Pick<AsyncIterator<AIMessageChunk, undefined>, 'next'>,
  received: Received,
  abortRequest: () => void,
): AsyncGenerator<ChatPiece> {
  try {
    // Not for…of: after the reader stops, it would await the provider's next chunk before the request can be aborted.
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      const { value: chunk } = next;
      const usage = readUsage(chunk);
      received.promptTokens += usage.input_tokens;
      received.completionTokens += usage.output_tokens;
      received.finishReason = findFinishReason(chunk) ?? received.finishReason;
      if (chunk.text === '') continue;
      received.hasText = true;
      yield { text: chunk.text };
    }
  } finally {
    abortRequest();
  }
}

/**
 * Yields the notes and usage of a finished answer.
 *
 * @throws ModelFailed unless the model ended the answer itself or at its token limit
 */
function* finishAnswer(name: string, received: Received): Generator<ChatPiece> {
  const { hasText, finishReason, blockReason, promptTokens, completionTokens } = received;
  const ending = blockReason === undefined ? toEnding(finishReason) : 'refused';
  const reason = finishReason ?? blockReason ?? 'no finish reason';
  if (ending === 'refused') throw new ModelFailed('model_refused', `${name} stopped: ${reason}`);
  if (!hasText) {
    const isRetryable = ending === 'interrupted';
    throw new ModelFailed('model_invalid_response', `${name} ended without text: ${reason}`, { isRetryable });
  }
  if (ending === 'interrupted')
    throw new ModelFailed('model_interrupted', `${name} stopped before the end of its answer: ${reason}`);
  if (ending === 'truncated') yield { note: 'answer_truncated' };
  if (promptTokens + completionTokens > 0) yield { usage: { promptTokens, completionTokens } };
}

/** Converts a failure that occurred after the first text to `model_interrupted`. A refusal stays a refusal. */
function toInterrupted(failure: ModelFailed): ModelFailed {
  if (failure.code === 'model_refused' || failure.code === 'model_interrupted') return failure;
  return new ModelFailed('model_interrupted', failure.message, { cause: failure });
}

function toMessages(call: ChatCall): ['system' | 'user' | 'assistant', string][] {
  const system: ['system', string][] = call.system === undefined ? [] : [['system', call.system]];
  return [...system, ...call.messages.map(({ role, text }): ['user' | 'assistant', string] => [role, text])];
}

const NO_USAGE: UsageMetadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/**
 * Returns the usage of a chunk. The clients report it once or in parts that add up. LangChain's type of a plain chunk lacks the
 * field.
 */
function readUsage({ usage_metadata: usage }: { readonly usage_metadata?: UsageMetadata | undefined }): UsageMetadata {
  return usage ?? NO_USAGE;
}

/** Describes how an answer ended. */
type Ending =
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
function toEnding(reason: string | undefined): Ending {
  return reason === undefined ? 'interrupted' : (ENDINGS.get(reason) ?? 'complete');
}

/** Finds the finish reason of a chunk. OpenAI and Google send it with the response, Anthropic with the message. */
function findFinishReason(chunk: AIMessageChunk): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...chunk.additional_kwargs, ...chunk.response_metadata };
  const { finish_reason: openai, stop_reason: anthropic, finishReason: google } = fields;
  // Google's own reasons are in capitals; LangChain adds `stop` to a chunk that it could not parse.
  return [openai, anthropic, google === 'stop' ? undefined : google].find((reason) => typeof reason === 'string');
}

/** Finds the reason for which Google blocked a prompt, in an event of LangChain's callbacks. LangChain's stream omits it. */
function findBlockReason(event: unknown): string | undefined {
  const reason = getProperty(getProperty(getProperty(event, 'chunk'), 'promptFeedback'), 'blockReason');
  return typeof reason === 'string' ? reason : undefined;
}

function getProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** HTTP statuses after which a retry may succeed, besides 5xx (RFC 9110, RFC 8470). */
const TRANSIENT = new Set([409, 425]);
const TIMEOUT = new Set([408, 504]);
/** Matches the providers' messages about a prompt that is too long. No status or code identifies this failure. */
const TOO_LONG =
  /context[ _]?(length|window)|prompt is too long|token count .*exceeds|too many tokens|input is too long/i;
const OVERFLOW = 'ContextOverflowError';
const MAX_REASON_LENGTH = 300;
/** Start of the link to LangChain's documentation, which LangChain appends to some messages. */
const LANGCHAIN_LINK = '\n\nTroubleshooting URL';

/**
 * Converts an error of a LangChain client to `ModelFailed`: an error status, no response, or a response that cannot be parsed.
 */
function toModelFailed(model: string, error: unknown): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const message = `${model}: ${describeReason(error)}`;
  const status = readNumber(error, 'status') ?? readNumber(error, 'statusCode');
  const failure = { cause: error, status, afterMs: readRetryAfterMs(error) };
  if (isTooLong(error, status)) return new ModelFailed('context_too_long', message, failure);
  if (status === 429)
    return new ModelFailed('model_rate_limited', message, { ...failure, isRetryable: !isOutOfQuota(error) });
  const transient = { ...failure, isRetryable: true };
  if (status === undefined) {
    return new ModelFailed(isUnreadable(error) ? 'model_invalid_response' : 'model_unavailable', message, transient);
  }
  if (TIMEOUT.has(status)) return new ModelFailed('model_timeout', message, transient);
  if (status >= 500 || TRANSIENT.has(status)) return new ModelFailed('model_unavailable', message, transient);
  return new ModelFailed('model_refused', message, failure);
}

function isTooLong(error: unknown, status: number | undefined): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === OVERFLOW || status === 413 || (status === 400 && TOO_LONG.test(error.message));
}

/**
 * Detects a response with unexpected JSON, which makes a client throw a TypeError without a cause. That of `fetch` has a cause.
 */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof TypeError && error.cause === undefined);
}

/** Detects an exhausted quota. Providers report it with status 429 too, but a retry cannot resolve it. */
function isOutOfQuota(error: unknown): boolean {
  return getProperty(error, 'code') === 'insufficient_quota' || getProperty(error, 'type') === 'insufficient_quota';
}

function readRetryAfterMs(error: unknown): number | undefined {
  const headers = getProperty(error, 'headers');
  const value = headers instanceof Headers ? headers.get('retry-after') : getProperty(headers, 'retry-after');
  return typeof value === 'string' ? parseRetryAfter(value) : undefined;
}

function describeReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const [message = ''] = error.message.split(LANGCHAIN_LINK);
  return `${message}${cause}`.replace(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH);
}

function readNumber(value: unknown, name: string): number | undefined {
  const found = getProperty(value, name);
  return typeof found === 'number' ? found : undefined;
}
