import {
  findMetadataFilterViolations,
  MAX_ANSWER_TOKENS,
  type MetadataCondition,
  MetadataFilter,
} from '@quarry/contracts';
import {
  ArrayMaxSize,
  ArrayMinSize,
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  Type,
  ValidateNested,
  ValidateWith,
  type Violation,
} from '@quarry/validation';
import { createFieldProblem } from '../../../checks/field-problem.js';
import { AnswerParameters, requireStreamForOptions, StreamOptions } from '../answers/answer-parameters.js';
import type { InertParameters } from '../protocol/parameters.js';
import { RankingOptions } from '../protocol/ranking-options.js';

const MAX_STORES = 100;
const MAX_RESULTS = 50;

/** Describes the tool that searches vector stores. Source: `FileSearchTool` of openai/openai-openapi. */
export class FileSearchTool {
  @IsIn(['file_search'])
  readonly type: 'file_search';

  @Describe('`vs_` and the id of a datastore. An agent searches these datastores in place of its own.')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_STORES)
  @IsString({ each: true })
  readonly vector_store_ids: readonly string[];

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RESULTS)
  readonly max_num_results?: number;

  @IsOptional()
  @ValidateWith(findMetadataFilterViolations)
  @Type(() => MetadataFilter)
  readonly filters?: MetadataCondition;

  @IsOptional()
  @ValidateNested()
  @Type(() => RankingOptions)
  readonly ranking_options?: RankingOptions;
}

export const RESULTS = 'file_search_call.results';

/**
 * The accepted values of `include`. Only the first value has an effect, because answers contain no items of the kinds
 * to which the other values refer. `message.output_text.logprobs` is refused.
 */
export const INCLUDES = [
  RESULTS,
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
] as const;

const isNonblankText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function findInputViolations(found: unknown): readonly Violation[] {
  const isItems = Array.isArray(found) && found.length > 0 && found.every(isObject);
  return isNonblankText(found) || isItems
    ? []
    : [{ path: '', message: 'must be a text that is not blank, or items', found }];
}

function findConversationViolations(found: unknown): readonly Violation[] {
  const isReference = isNonblankText(found) || (isObject(found) && 'id' in found && isNonblankText(found.id));
  return isReference ? [] : [{ path: '', message: 'must be an id, or an object with id', found }];
}

/** Returns the violations in a `tool_choice`. It must be `auto`, `none`, `required` or the search tool. */
export function findToolChoiceViolations(found: unknown): readonly Violation[] {
  const isTool = isObject(found) && 'type' in found && found.type === 'file_search';
  if (isTool || (typeof found === 'string' && ['auto', 'none', 'required'].includes(found))) return [];
  return [{ path: '', message: 'must be auto, none, required or { "type": "file_search" }', found }];
}

/** Describes the parameters of a response. Quarry stores them with the answer. */
export class ResponseParameters extends AnswerParameters {
  @Describe('For an agent, replaces its system prompt.')
  @IsOptional()
  @IsString()
  readonly instructions?: string;

  @Describe('Continues the conversation of this response.')
  @IsOptional()
  @IsString()
  readonly previous_response_id?: string;

  @Describe('`conv_` and the id of a conversation, which continues. A text, or an object with `id`.', {
    anyOf: [{ type: 'string' }, { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }],
  })
  @IsOptional()
  @ValidateWith(findConversationViolations)
  readonly conversation?: string | { readonly id: string };

  @Describe('False: nothing is stored. Default: true for an agent, false for a configured model.')
  @IsOptional()
  @IsBoolean()
  readonly store?: boolean;

  @IsOptional()
  @ValidateNested()
  @Type(() => StreamOptions)
  readonly stream_options?: StreamOptions;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1)
  @ValidateNested({ each: true })
  @Type(() => FileSearchTool)
  readonly tools?: readonly FileSearchTool[];

  @Describe('Every answer searches. `none` is refused together with a tool.', {
    anyOf: [{ type: 'string', enum: ['auto', 'none', 'required'] }, { type: 'object' }],
  })
  @IsOptional()
  @ValidateWith(findToolChoiceViolations)
  readonly tool_choice?: string | object;

  @Describe(`\`${RESULTS}\` adds the passages to the item of the search. Other values change nothing.`)
  @IsOptional()
  @IsArray()
  @IsIn(INCLUDES, { each: true })
  readonly include?: readonly (typeof INCLUDES)[number][];

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_ANSWER_TOKENS)
  readonly max_output_tokens?: number;

  @Describe('Changes nothing, because an answer searches once.')
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly max_tool_calls?: number;
}

/** Describes the body of `POST /v1/responses`. Source: `CreateResponse` of https://github.com/openai/openai-openapi. */
export class ResponseRequest extends ResponseParameters {
  @Describe('A question, or items: messages with text, references to answers, and the items of earlier answers.', {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }],
  })
  @ValidateWith(findInputViolations)
  readonly input: string | readonly object[];
}

/** Unsupported parameters of the Responses API, with the values that have no effect and are accepted. */
export const INERT_RESPONSE_PARAMETERS: InertParameters = {
  background: [false],
  context_management: [[]],
  moderation: [],
  parallel_tool_calls: 'any',
  prompt: [],
  prompt_cache_key: 'any',
  prompt_cache_options: 'any',
  prompt_cache_retention: 'any',
  reasoning: [{}, { effort: null }, { effort: null, summary: null }],
  service_tier: ['auto', 'default'],
  text: [{}, { format: { type: 'text' } }, { format: { type: 'text' }, verbosity: 'medium' }, { verbosity: 'medium' }],
  top_logprobs: [0],
  truncation: ['auto', 'disabled'],
};

/** Refuses parameters that exclude each other. @throws Problem 400 */
export function requireConsistentParameters(body: ResponseRequest): void {
  requireStreamForOptions(body);
  if (body.conversation !== undefined && body.previous_response_id !== undefined)
    throw createFieldProblem('conversation', 'must be absent if previous_response_id is present');
  const hasTool = body.tools !== undefined && body.tools.length > 0;
  const { tool_choice: choice = 'auto' } = body;
  if (choice === 'none' && hasTool)
    throw createFieldProblem('tool_choice', 'must not be "none" if the request has a tool');
  if (choice !== 'none' && choice !== 'auto' && !hasTool)
    throw createFieldProblem('tool_choice', 'must be "auto" or "none" if the request has no tool');
}
