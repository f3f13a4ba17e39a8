import {
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Max,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';

/** What a search was configured to do and could not, so that its order is less good: the service's log says why. */
export const RETRIEVAL_NOTES = ['not_embedded', 'not_reranked'] as const;
export type RetrievalNote = (typeof RETRIEVAL_NOTES)[number];

/** The request names a model and no model provider is configured, or the model lacks a parameter, or the answer ended at its token limit. */
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

/** One passage an answer rests on. */
@Describe('A passage that the answer rests on.')
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
  readonly custom_id: string | null;

  @OrNull()
  @IsString()
  @Describe('The address a reader can open; null where there is none.')
  readonly source: string | null;

  @IsNumber()
  @Min(0)
  @Max(1)
  @Describe('Between 0 and 1; comparable within one answer.')
  readonly score: number;

  @OrNull()
  @IsInt()
  @Min(1)
  @Describe('Counted from 1; null where the document has no pages.')
  readonly page: number | null;

  @IsString()
  readonly text: string;

  @IsBoolean()
  @Describe('Whether the answer refers to this passage.')
  readonly cited: boolean;
}

/** What an answer took, in tokens. */
@Describe('What the answer took, in tokens.')
export class AnswerUsage {
  @IsInt()
  @Min(0)
  readonly promptTokens: number;

  @IsInt()
  @Min(0)
  readonly completionTokens: number;
}

/** `200` of `POST /agents/{id}/query`; in a stream the data of `endpoint_response`. */
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
  @Describe('Best first.')
  readonly sources: readonly AnswerSource[];

  @IsString()
  readonly messageId: string;

  @ValidateNested()
  @Type(() => AnswerUsage)
  readonly usage: AnswerUsage;

  @IsIn(['model', 'extractive'])
  @Describe('`extractive`: no model is configured, and the answer is sentences of the sources.')
  readonly answeredBy: 'model' | 'extractive';

  @IsArray()
  @IsIn(ANSWER_NOTES, { each: true })
  @Describe(
    'Lists what was not done as requested or configured. `not_embedded`: the search used words alone. `not_reranked`: the passages are in the order of the search. `answer_truncated`: the model reached its token limit. `model_not_configured`: `modelName` is ignored, because no model provider is configured. `…_not_supported`: the model lacks this parameter and was called without it.',
  )
  readonly notes: readonly AnswerNote[];
}
