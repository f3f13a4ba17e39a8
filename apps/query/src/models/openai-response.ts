import { createEventLimitCheck, readErrorText } from '@quarry/http-responses';
import { createParser } from 'eventsource-parser';
import { EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import type { ChatCall } from './chat-model.js';
import { getProperty } from './get-property.js';
import type { ProviderSettings } from './model-settings.js';
import type { OpenResponse, ResponsePart } from './provider-model.js';
import { RESPONSE_LIMITS } from './response-limits.js';

const ERROR_STATUS = /^[45]\d\d$/;

/** Reports an error status of a provider, or an error event in its response. */
class ProviderError extends Error {
  /** HTTP status of the response. For an error event, the status that its code states, if any. */
  readonly status: number | undefined;
  readonly headers: Dispatcher.ResponseData['headers'];
  /** The fields `code` and `type` of the provider's error. */
  readonly code: unknown;
  readonly type: unknown;

  constructor(error: unknown, { statusCode, headers }: Partial<Dispatcher.ResponseData> = {}) {
    super(describeProviderError(error, statusCode));
    this.name = 'ProviderError';
    this.code = getProperty(error, 'code');
    this.status = statusCode ?? readStatus(this.code);
    this.headers = headers ?? {};
    this.type = getProperty(error, 'type');
  }
}

/** Returns the HTTP status in the field `code` of an error event, such as 429 or `"429"`. Other codes have no status. */
function readStatus(code: unknown): number | undefined {
  const text = typeof code === 'number' ? String(code) : code;
  return typeof text === 'string' && ERROR_STATUS.test(text) ? Number(text) : undefined;
}

function describeProviderError(error: unknown, status: number | undefined): string {
  const message = getProperty(error, 'message');
  const reason = typeof message === 'string' ? message : typeof error === 'string' ? error : JSON.stringify(error);
  return status === undefined ? reason : `${status} ${reason}`;
}

/** Time in milliseconds for which an idle connection stays open for the next call. */
const KEEP_ALIVE_MS = 30_000;
/** Time in milliseconds for which a connection waits for the end of a response whose last event has arrived. */
const DRAIN_MS = 1_000;

/**
 * Connects to a server with OpenAI's chat completions API, such as OpenAI, OpenRouter, DeepSeek, Ollama and vLLM.
 * Follows no redirects, because they could lead to an address that was not checked.
 *
 * @returns a function that maps the provider's name of a model to the function that sends calls to that model
 */
export function connectOpenAiCompatible({ baseUrl, apiKey }: ProviderSettings): (model: string) => OpenResponse {
  const { origin, pathname } = new URL(baseUrl);
  const path = `${pathname.replace(/\/$/, '')}/chat/completions`;
  const headers = {
    // Some servers require a key. Servers without authentication ignore it.
    Authorization: `Bearer ${apiKey ?? 'none'}`,
    'Content-Type': 'application/json',
    Accept: 'text/event-stream',
    'User-Agent': 'Quarry',
  };
  const connections = openConnections(origin);
  return (model) =>
    async function* (call) {
      const body = JSON.stringify(buildChatRequest(model, call));
      const response = await connections.request({ origin, path, method: 'POST', headers, body, signal: call.signal });
      if (response.statusCode < 200 || response.statusCode >= 300) throw await readProviderError(response);
      yield* readResponseParts(response.body);
      return undefined;
    };
}

/**
 * Opens the connections to a server. Uses the proxies of the environment if Node's variable `NODE_USE_ENV_PROXY` is
 * set, as `fetch` does.
 */
function openConnections(origin: string): Dispatcher {
  // `withTextTimeouts` limits the time. With HTTP/2, the failure of one connection would end all answers.
  const limits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS, allowH2: false };
  // eslint-disable-next-line no-restricted-syntax -- a variable of Node for all connections of the process, and no setting of Quarry
  return process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent(limits) : new Pool(origin, limits);
}

/**
 * Matches models that reason before they answer. The API of these models has other names for the token limit and for
 * the role of instructions.
 */
const REASONING_MODEL = /^(o\d|gpt-[56](?!-chat))/;

function buildChatRequest(model: string, { system, messages, settings }: ChatCall): object {
  const isReasoning = REASONING_MODEL.test(model);
  const { temperature, maxTokens, topP, presencePenalty, frequencyPenalty } = settings;
  return {
    model,
    messages: [
      ...(system === undefined ? [] : [{ role: isReasoning ? 'developer' : 'system', content: system }]),
      ...messages.map(({ role, text }) => ({ role, content: text })),
    ],
    temperature,
    top_p: topP,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
    [isReasoning ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    stream: true,
    stream_options: { include_usage: true },
  };
}

async function readProviderError(response: Dispatcher.ResponseData): Promise<ProviderError> {
  return new ProviderError(parseProviderError(await readErrorText(response.body)), response);
}

/** Returns the error of a response: the field `error` of a JSON body, or the body. */
function parseProviderError(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return getProperty(body, 'error') ?? body;
  } catch {
    return text === '' ? 'no text' : text;
  }
}

async function* readResponseParts(body: Dispatcher.ResponseData['body']): AsyncGenerator<ResponsePart> {
  const events: ResponseEvent[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  const progress: ResponseProgress = { usage: undefined, isComplete: false };
  const check = createEventLimitCheck(RESPONSE_LIMITS);
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Uint8Array; // the body has no encoding
    try {
      check(bytes);
    } catch (error) {
      body.destroy();
      throw error;
    }
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const part of joinEventTexts(events.splice(0), progress)) yield part;
    if (progress.isComplete) break;
  }
  if (progress.isComplete) drainBody(body);
  yield readUsage(progress.usage);
}

interface ResponseEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Holds the state of a response that is being read: the latest usage that it contained, and whether it has ended. */
interface ResponseProgress {
  usage: unknown;
  /** True after the last event of the response, `[DONE]`. */
  isComplete: boolean;
}

/**
 * Joins the texts of events that arrived together, because passing on each text separately is expensive.
 *
 * @throws ProviderError for an error event, and SyntaxError for an invalid one, after the earlier text was yielded
 */
function* joinEventTexts(events: readonly ResponseEvent[], progress: ResponseProgress): Generator<ResponsePart> {
  let text = '';
  let finishReason: string | undefined;
  try {
    for (const { event, data } of events) {
      progress.isComplete = data.startsWith('[DONE]');
      if (progress.isComplete) break;
      const chunk: unknown = JSON.parse(data);
      throwIfErrorEvent(event, chunk);
      // Some servers send the usage so far with each chunk.
      progress.usage = getProperty(chunk, 'usage') ?? progress.usage;
      const part = readChoice(chunk);
      text += part?.text ?? '';
      finishReason = part?.finishReason ?? finishReason;
    }
  } finally {
    if (text !== '' || finishReason !== undefined) yield { text, finishReason };
  }
}

/**
 * Reads the rest of a response, so that its connection can be used again. Closes the connection if the response does
 * not end.
 */
function drainBody(body: Dispatcher.ResponseData['body']): void {
  const timer = setTimeout(() => void body.destroy(), DRAIN_MS);
  body.once('close', () => {
    clearTimeout(timer);
  });
  body.on('error', () => undefined).resume();
}

/** Checks one event of a stream. @throws ProviderError if the event contains an error instead of a chunk */
function throwIfErrorEvent(event: string | undefined, chunk: unknown): void {
  const error = getProperty(chunk, 'error');
  if (event === 'error' || (error !== undefined && error !== null)) throw new ProviderError(error ?? chunk);
}

/**
 * Reads the text and finish reason of a chunk. Returns undefined if it has neither, such as a chunk with only the
 * usage.
 *
 * @throws SyntaxError for a chunk of another format
 */
function readChoice(chunk: unknown): ResponsePart | undefined {
  const choices = getProperty(chunk, 'choices');
  if (!Array.isArray(choices))
    throw new SyntaxError(`expected a list in the field \`choices\`, found ${typeof choices}`);
  const choice: unknown = choices[0];
  const text = getProperty(getProperty(choice, 'delta'), 'content');
  const finishReason = getProperty(choice, 'finish_reason');
  // Some servers send an empty finish reason until the answer ends.
  const isFinished = typeof finishReason === 'string' && finishReason !== '';
  if (typeof text !== 'string' && !isFinished) return undefined;
  return { text: typeof text === 'string' ? text : '', finishReason: isFinished ? finishReason : undefined };
}

function readUsage(usage: unknown): ResponsePart {
  const readCount = (name: string): number => {
    const count = getProperty(usage, name);
    return typeof count === 'number' ? count : 0;
  };
  return { promptTokens: readCount('prompt_tokens'), completionTokens: readCount('completion_tokens') };
}
