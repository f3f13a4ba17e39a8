import { AnswerSource, ANSWER_NOTES, type AnswerNote } from '@quarry/contracts';
import {
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  OrNull,
  Type,
  ValidateNested,
  ValidateWith,
} from '@quarry/validation';
import { findToolChoiceViolations, INCLUDES } from './response-request.js';

export const RESPONSE_STATUSES = ['in_progress', 'completed', 'incomplete', 'failed', 'cancelled'] as const;
export type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

class ResponseUsage {
  @IsInt()
  readonly input_tokens: number;

  @Describe('Zero: providers do not report these numbers.')
  @IsObject()
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };

  @IsInt()
  readonly output_tokens: number;

  @IsObject()
  readonly output_tokens_details: { readonly reasoning_tokens: number };

  @IsInt()
  readonly total_tokens: number;
}

/** Describes a response. Source: `Response` of openai/openai-openapi. `sources` and `notes` are extensions. */
export class ResponseObject {
  @IsString()
  readonly id: string;

  @IsIn(['response'])
  readonly object: 'response';

  @IsInt()
  readonly created_at: number;

  @Describe('Unix time in seconds. Null unless the status is `completed`.')
  @OrNull()
  @IsInt()
  readonly completed_at: number | null;

  @Describe(
    '`incomplete`: the model reached its token limit. `cancelled`: the client disconnected before the end of the answer.',
  )
  @IsIn(RESPONSE_STATUSES)
  readonly status: ResponseStatus;

  @IsBoolean()
  readonly background: boolean;

  @OrNull()
  @IsObject()
  readonly error: { readonly code: string; readonly message: string } | null;

  @OrNull()
  @IsObject()
  readonly incomplete_details: { readonly reason: 'max_output_tokens' } | null;

  @OrNull()
  @IsString()
  readonly instructions: string | null;

  @OrNull()
  @IsInt()
  readonly max_output_tokens: number | null;

  @OrNull()
  @IsInt()
  readonly max_tool_calls: number | null;

  @IsObject()
  readonly metadata: object;

  @IsString()
  readonly model: string;

  @Describe('A `file_search_call` if the request has this tool, then a `message` with `output_text` and its citations.')
  @IsArray()
  @IsObject({ each: true })
  readonly output: readonly object[];

  @IsBoolean()
  readonly parallel_tool_calls: boolean;

  @OrNull()
  @IsString()
  readonly previous_response_id: string | null;

  @Describe('The conversation that stores the answer. Null if none does.')
  @OrNull()
  @IsObject()
  readonly conversation: { readonly id: string } | null;

  @OrNull()
  @IsObject()
  readonly prompt: object | null;

  @OrNull()
  @IsString()
  readonly prompt_cache_key: string | null;

  @OrNull()
  @IsString()
  readonly prompt_cache_retention: string | null;

  @IsObject()
  readonly reasoning: { readonly effort: null; readonly summary: null };

  @OrNull()
  @IsObject()
  readonly moderation: object | null;

  @OrNull()
  @IsString()
  readonly safety_identifier: string | null;

  @IsIn(['default'])
  readonly service_tier: 'default';

  @IsBoolean()
  readonly store: boolean;

  @Describe('Null: the setting of the agent or of the model applies.')
  @OrNull()
  @IsNumber()
  readonly temperature: number | null;

  @IsObject()
  readonly text: object;

  @Describe('As in the request. Default: `auto`.', { anyOf: [{ type: 'string' }, { type: 'object' }] })
  @ValidateWith(findToolChoiceViolations)
  readonly tool_choice: string | object;

  @IsArray()
  @IsObject({ each: true })
  readonly tools: readonly object[];

  @IsInt()
  readonly top_logprobs: number;

  @OrNull()
  @IsNumber()
  readonly top_p: number | null;

  @IsIn(['auto'])
  readonly truncation: 'auto';

  @OrNull()
  @ValidateNested()
  @Type(() => ResponseUsage)
  readonly usage: ResponseUsage | null;

  @OrNull()
  @IsString()
  readonly user: string | null;

  @Describe('Sources of the answer, most relevant first, as in Quarry’s API.')
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AnswerSource)
  readonly sources: readonly AnswerSource[];

  @Describe('Steps that were requested or configured but not performed, as in Quarry’s API.')
  @IsArray()
  @IsIn(ANSWER_NOTES, { each: true })
  readonly notes: readonly AnswerNote[];
}

/** Describes a deleted response. */
export class DeletedResponse {
  @IsString()
  readonly id: string;

  @IsIn(['response'])
  readonly object: 'response';

  @IsBoolean()
  readonly deleted: boolean;
}

/** Describes the query string of `GET /v1/responses/{response_id}`. SDKs send a list with the name `include[]`. */
export class ResponseQuery {
  @Describe(`One of ${INCLUDES.join(', ')}, or several.`, { anyOf: [{ type: 'string' }, { type: 'array' }] })
  @IsOptional()
  readonly include?: unknown;

  @IsOptional()
  readonly 'include[]'?: unknown;

  @Describe('Must be false: a finished response is not streamed again.')
  @IsOptional()
  @IsIn(['false'])
  readonly stream?: string;
}

/** Describes a page of the input items of a response. */
export class InputItemList {
  @IsIn(['list'])
  readonly object: 'list';

  @IsArray()
  @IsObject({ each: true })
  readonly data: readonly object[];

  @OrNull()
  @IsString()
  readonly first_id: string | null;

  @OrNull()
  @IsString()
  readonly last_id: string | null;

  @IsBoolean()
  readonly has_more: boolean;
}
