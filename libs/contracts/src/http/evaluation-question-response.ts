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
import { RelevantReference } from './evaluation.js';
import { EvaluationError } from './evaluation-response.js';

/** Lists the statuses of a question of an evaluation. */
const EVALUATION_QUESTION_STATUSES = ['waiting', 'done', 'failed'] as const;
type EvaluationQuestionStatus = (typeof EVALUATION_QUESTION_STATUSES)[number];

@Describe('The measures of a question. Null: the measure does not apply.')
export class QuestionScores {
  @OrNull() @IsNumber() @Min(0) @Max(1) readonly recall: number | null;
  @OrNull() @IsNumber() @Min(0) @Max(1) readonly ndcg10: number | null;
  @OrNull() @IsNumber() @Min(0) @Max(1) readonly mrr: number | null;
  @OrNull() @IsNumber() @Min(0) @Max(1) readonly answerContains: number | null;
  @OrNull() @IsNumber() @Min(0) @Max(1) readonly citationPrecision: number | null;
  @OrNull() @IsNumber() @Min(0) @Max(1) readonly abstention: number | null;
  @OrNull() @IsNumber() @Min(0) @Max(1) readonly answered: number | null;
}

/** Maximum number of characters of the text of a found passage that a response contains. */
export const MAX_RESULT_CHARACTERS = 2_000;

@Describe('A passage that an evaluation found.')
export class EvaluationResult {
  @IsString()
  readonly datasourceId: string;

  @OrNull()
  @IsString()
  @Describe('Null if the datasource was deleted.')
  readonly datasourceName: string | null;

  @OrNull()
  @IsString()
  @Describe(
    'Identifies the document within its datasource, as in the list of documents. Null if the datasource was deleted, or if an earlier version ran the evaluation.',
  )
  readonly documentKey: string | null;

  @OrNull()
  @IsString()
  @Describe(
    `The first ${MAX_RESULT_CHARACTERS} characters of the text. Null if the datasource was deleted, or if an earlier version ran the evaluation.`,
  )
  readonly text: string | null;

  @OrNull()
  @IsString()
  @Describe(
    'Address of the document. Without one, the address of its listing, or of its original in this API. Null if the datasource was deleted.',
  )
  readonly source: string | null;

  @OrNull()
  @IsInt()
  @Min(1)
  readonly page: number | null;

  @IsNumber()
  @Min(0)
  @Max(1)
  readonly score: number;

  @IsBoolean()
  @Describe('True if the passage matches a relevant reference of the question.')
  readonly relevant: boolean;

  @IsOptional()
  @IsBoolean()
  @Describe('True if the answer cites the passage. Absent for datastores.')
  readonly cited?: boolean;
}

@Describe('A question of an evaluation with its outcome.')
export class EvaluationQuestionResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly question: string;

  @IsArray()
  @IsString({ each: true })
  readonly expected: readonly string[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RelevantReference)
  readonly relevant: readonly RelevantReference[];

  @IsBoolean()
  readonly unanswerable: boolean;

  @IsIn(EVALUATION_QUESTION_STATUSES)
  readonly status: EvaluationQuestionStatus;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationError)
  readonly error: EvaluationError | null;

  @OrNull()
  @ValidateNested()
  @Type(() => QuestionScores)
  @Describe('Null unless the status is `done`.')
  readonly scores: QuestionScores | null;

  @OrNull()
  @IsNumber()
  @Min(0)
  @Describe('Duration of the query in milliseconds.')
  readonly latencyMs: number | null;

  @OrNull()
  @IsString()
  @Describe('Answer of the agent. Null for datastores.')
  readonly answer: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EvaluationResult)
  @Describe('Found passages, best first: the first ten results of a datastore, or all sources of an answer.')
  readonly results: readonly EvaluationResult[];
}
