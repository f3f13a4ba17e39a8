import { AnswerSource, ANSWER_NOTES, type AnswerNote, MAX_ANSWER_TOKENS } from '@quarry/contracts';
import {
  ArrayMinSize,
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { AnswerParameters, StreamOptions } from '../answers/answer-parameters.js';
import type { InertParameters } from '../protocol/parameters.js';

class ChatStreamOptions extends StreamOptions {
  @Describe('Adds an event with the token usage before the end of the stream.')
  @IsOptional()
  @IsBoolean()
  readonly include_usage?: boolean;
}

/** Describes the body of `POST /v1/chat/completions`. Source: `CreateChatCompletionRequest` of openai/openai-openapi. */
export class ChatCompletionRequest extends AnswerParameters {
  @Describe(
    'Messages of the roles system, developer, user and assistant, with text. The last one is a question of the user. For an agent, system and developer messages replace its system prompt.',
  )
  @IsArray()
  @ArrayMinSize(1)
  @IsObject({ each: true })
  readonly messages: readonly object[];

  @IsOptional()
  @ValidateNested()
  @Type(() => ChatStreamOptions)
  readonly stream_options?: ChatStreamOptions;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_ANSWER_TOKENS)
  readonly max_completion_tokens?: number;

  @Describe('Use `max_completion_tokens` instead.', { deprecated: true })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_ANSWER_TOKENS)
  readonly max_tokens?: number;

  @IsOptional()
  @IsNumber()
  @Min(-2)
  @Max(2)
  readonly presence_penalty?: number;

  @IsOptional()
  @IsNumber()
  @Min(-2)
  @Max(2)
  readonly frequency_penalty?: number;

  @Describe('True: the question and the answer of an agent are stored in a conversation. Default: false.')
  @IsOptional()
  @IsBoolean()
  readonly store?: boolean;
}

/** Unsupported parameters of chat completions, with the values that have no effect and are accepted. */
export const INERT_CHAT_PARAMETERS: InertParameters = {
  audio: [],
  function_call: ['none'],
  functions: [[]],
  logit_bias: [{}],
  logprobs: [false],
  modalities: [['text']],
  moderation: [],
  n: [1],
  parallel_tool_calls: 'any',
  prediction: 'any',
  prompt_cache_key: 'any',
  prompt_cache_options: 'any',
  prompt_cache_retention: 'any',
  reasoning_effort: [],
  response_format: [{ type: 'text' }],
  seed: [],
  service_tier: ['auto', 'default'],
  stop: [[]],
  tool_choice: ['none', 'auto'],
  tools: [[]],
  top_logprobs: [0],
  verbosity: ['medium'],
  web_search_options: [],
};

class ChatMessage {
  @IsIn(['assistant'])
  readonly role: 'assistant';

  @IsString()
  readonly content: string;

  @OrNull()
  @IsString()
  readonly refusal: string | null;

  @Describe(
    'Citations of the type `url_citation`. The citation of a file of Quarry also has the field `file_citation`.',
  )
  @IsArray()
  @IsObject({ each: true })
  readonly annotations: readonly object[];
}

class ChatChoice {
  @IsInt()
  readonly index: number;

  @ValidateNested()
  @Type(() => ChatMessage)
  readonly message: ChatMessage;

  @OrNull()
  @IsObject()
  readonly logprobs: object | null;

  @Describe('`length`: the model reached its token limit.')
  @IsIn(['stop', 'length'])
  readonly finish_reason: 'stop' | 'length';
}

class ChatUsage {
  @IsInt()
  readonly prompt_tokens: number;

  @IsInt()
  readonly completion_tokens: number;

  @IsInt()
  readonly total_tokens: number;

  @Describe('Zero: providers do not report these numbers.')
  @IsObject()
  readonly prompt_tokens_details: { readonly cached_tokens: number };

  @IsObject()
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

/** Describes the response of `POST /v1/chat/completions`. `sources`, `conversation_id` and `notes` are extensions. */
export class ChatCompletion {
  @IsString()
  readonly id: string;

  @IsIn(['chat.completion'])
  readonly object: 'chat.completion';

  @IsInt()
  readonly created: number;

  @IsString()
  readonly model: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ChatChoice)
  readonly choices: readonly ChatChoice[];

  @ValidateNested()
  @Type(() => ChatUsage)
  readonly usage: ChatUsage;

  @IsIn(['default'])
  readonly service_tier: 'default';

  @IsObject()
  readonly metadata: object;

  @Describe('Sources of the answer, most relevant first, as in Quarry’s API.')
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AnswerSource)
  readonly sources: readonly AnswerSource[];

  @Describe('The conversation that stores the answer. Null if none does.')
  @OrNull()
  @IsString()
  readonly conversation_id: string | null;

  @Describe('Steps that were requested or configured but not performed, as in Quarry’s API.')
  @IsArray()
  @IsIn(ANSWER_NOTES, { each: true })
  readonly notes: readonly AnswerNote[];
}
