import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import { ModelFailed, type ChatCall, type ChatModel, type ChatPiece, type ChatSettings } from './chat-model.js';
import { findBlockReason, toEnding, findFinishReason } from './finish-reason.js';
import { toModelFailed } from './langchain-failure.js';

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

/** Creates a `ChatModel` from the LangChain client of any provider. @param name provider and model, for logs */
export function createLangchainModel(name: string, openClient: OpenClient): ChatModel {
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
