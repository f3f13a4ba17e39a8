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
  @IsIn(RETRIEVAL_NOTES, { each: true })
  @Describe(
    'What went without a part of the search: `not_embedded`, the question was looked for by its words alone; `not_reranked`, the passages stand as they were found.',
  )
  readonly notes: readonly RetrievalNote[];
}
