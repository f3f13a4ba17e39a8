import {
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { PageRectangle } from './page-rectangle.js';

/**
 * Lists codes for configured steps that a search has omitted: embedding the query, or reranking. The ranking is then
 * less accurate. The log of the query service states the reason.
 */
export const RETRIEVAL_NOTES = ['not_embedded', 'not_reranked'] as const;
export type RetrievalNote = (typeof RETRIEVAL_NOTES)[number];

/**
 * Lists codes for requested or configured steps and settings that were not applied to an answer, and for an answer that
 * was truncated.
 */
export const ANSWER_NOTES = [
  ...RETRIEVAL_NOTES,
  'answer_truncated',
  'model_not_configured',
  'temperature_not_supported',
  'max_tokens_not_supported',
  'top_p_not_supported',
  'presence_penalty_not_supported',
  'frequency_penalty_not_supported',
] as const;
export type AnswerNote = (typeof ANSWER_NOTES)[number];

/** Describes a passage that an answer is based on. */
@Describe('A passage that the answer is based on.')
export class AnswerSource {
  @IsString()
  readonly chunk_id: string;

  @IsString()
  readonly datasource_id: string;

  @IsString()
  readonly datasource_name: string;

  @IsString()
  readonly datasource_type: string;

  @OrNull()
  @IsString()
  @Describe(
    'Identifies the document within its datasource, as in the list of documents. Null if it is unknown: the message was stored by an earlier version.',
  )
  readonly document_key: string | null;

  @OrNull()
  @IsString()
  readonly custom_id: string | null;

  @IsString()
  @Describe(
    'Address of the document. Without one, the address of its listing, or of its original in this API: `…/datasources/{id}/original`.',
  )
  readonly source: string;

  @IsNumber()
  @Min(0)
  @Max(1)
  @Describe('Relevance from 0 to 1. Comparable within one answer only.')
  readonly score: number;

  @OrNull()
  @IsInt()
  @Min(1)
  @Describe('Page number, starting at 1. Null if the document has no pages.')
  readonly page: number | null;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PageRectangle)
  @Describe(
    'Rectangles of the passage on the pages of its document, at most one per line. Empty if the document has no pages, or was last indexed by a version without rectangles. Absent in messages that were stored by such a version.',
  )
  readonly rectangles?: readonly PageRectangle[];

  @IsString()
  readonly text: string;

  @IsBoolean()
  @Describe('True if the answer cites this passage.')
  readonly cited: boolean;
}

/** Describes the token usage of an answer. */
@Describe('Number of tokens that the model used for the answer.')
export class AnswerUsage {
  @IsInt()
  @Min(0)
  readonly promptTokens: number;

  @IsInt()
  @Min(0)
  readonly completionTokens: number;
}

/**
 * Describes the `200` response of `POST /agents/{id}/query`. A stream sends the same response as the data of the event
 * `endpoint_response`.
 */
export class AgentQueryResponse {
  @IsString()
  readonly answer: string;

  @IsString()
  readonly conversationId: string;

  @IsString()
  readonly visitorId: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AnswerSource)
  @Describe('Sources of the answer, most relevant first.')
  readonly sources: readonly AnswerSource[];

  @IsString()
  readonly messageId: string;

  @ValidateNested()
  @Type(() => AnswerUsage)
  readonly usage: AnswerUsage;

  @IsIn(['model', 'extractive'])
  @Describe(
    '`model`: a language model wrote the answer. `extractive`: no model is configured, and the answer consists of sentences from the sources.',
  )
  readonly answeredBy: 'model' | 'extractive';

  @IsArray()
  @IsIn(ANSWER_NOTES, { each: true })
  @Describe(
    'Steps that were requested or configured but not performed. `not_embedded`: the search was lexical only. `not_reranked`: the passages have the order of the search. `answer_truncated`: the model reached its token limit. `model_not_configured`: `modelName` was ignored, because no model provider is configured. `…_not_supported`: the model does not support this parameter and was called without it.',
  )
  readonly notes: readonly AnswerNote[];
}
