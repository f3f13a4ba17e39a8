import {
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { EvaluationSettings, RelevantReference } from './evaluation.js';

/**
 * Lists the statuses of an evaluation. `waiting` and `running` are in progress. The others are final: `done`, `cancelled`, and
 * `error` if the evaluation stopped before its last question or all questions failed.
 */
const EVALUATION_STATUSES = ['waiting', 'running', 'done', 'cancelled', 'error'] as const;
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

/** Lists the statuses of a question of an evaluation. */
const EVALUATION_QUESTION_STATUSES = ['waiting', 'done', 'failed'] as const;
type EvaluationQuestionStatus = (typeof EVALUATION_QUESTION_STATUSES)[number];

/** Lists the measures of single questions, from 0 to 1. Higher values are better. */
export const QUESTION_MEASURES = [
  'recall',
  'ndcg10',
  'mrr',
  'answerContains',
  'citationPrecision',
  'abstention',
  'answered',
] as const;

@Describe('A measure over the questions to which it applies, with its 95 % bootstrap interval.')
export class EvaluationMeasure {
  @IsNumber()
  readonly value: number;

  @IsNumber()
  @Describe('Lower end of the interval.')
  readonly low: number;

  @IsNumber()
  @Describe('Upper end of the interval.')
  readonly high: number;

  @IsInt()
  @Min(1)
  @Describe('Number of questions.')
  readonly questions: number;
}

@Describe(
  'The measures of an evaluation. Failed questions are not part of a measure. Null: the measure applies to no question.',
)
export class EvaluationMetrics {
  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe(
    'Mean share of the relevant references that a result matches: among `topK` results, or an answer’s sources.',
  )
  readonly recall: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe('Mean nDCG of the first ten results. The gain of a result is the number of references it matches first.')
  readonly ndcg10: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe('Mean of the inverse rank of the first relevant result.')
  readonly mrr: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe(
    'Share of questions with `expected` whose answer contains an expected text. Of a datastore: whose results do.',
  )
  readonly answerContains: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe('Agents only. Mean share of the cited sources that are relevant, over answers that cite a source.')
  readonly citationPrecision: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe('Agents only. Share of unanswerable questions whose answer cites no source.')
  readonly abstention: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe('Agents only. Share of the other questions whose answer cites a source.')
  readonly answered: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe('Median time of a query in milliseconds.')
  readonly latencyP50Ms: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe('95th percentile of the times of the queries, in milliseconds.')
  readonly latencyP95Ms: EvaluationMeasure | null;
}

@Describe('Why an evaluation or a question failed.')
export class EvaluationError {
  @IsString()
  @Describe('A problem code, such as `usage_limit_reached`, or `all_questions_failed`.')
  readonly code: string;

  @IsString()
  readonly message: string;
}

@Describe('An evaluation: one run of a dataset of questions on a datastore or an agent.')
export class EvaluationResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly name: string;

  @IsIn(EVALUATION_STATUSES)
  @Describe('`waiting` and `running` are in progress. `error`: `error` contains the reason.')
  readonly status: EvaluationStatus;

  @IsString()
  readonly datasetId: string;

  @OrNull()
  @IsString()
  readonly datastoreId: string | null;

  @OrNull()
  @IsString()
  readonly agentId: string | null;

  @ValidateNested()
  @Type(() => EvaluationSettings)
  readonly settings: EvaluationSettings;

  @IsInt()
  @Min(1)
  @Describe('Number of questions of the dataset.')
  readonly questions: number;

  @IsInt()
  @Min(0)
  @Describe('Number of questions that have ended, with the failed ones.')
  readonly ended: number;

  @IsInt()
  @Min(0)
  readonly failed: number;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMetrics)
  @Describe('Null until the evaluation has ended.')
  readonly metrics: EvaluationMetrics | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationError)
  readonly error: EvaluationError | null;

  @IsISO8601()
  readonly createdAt: string;

  @OrNull()
  @IsISO8601()
  readonly startedAt: string | null;

  @OrNull()
  @IsISO8601()
  readonly endedAt: string | null;
}

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

@Describe('A passage that an evaluation found, without its text.')
export class EvaluationResult {
  @IsString()
  readonly datasourceId: string;

  @OrNull()
  @IsString()
  @Describe('Null if the datasource was deleted.')
  readonly datasourceName: string | null;

  @OrNull()
  @IsString()
  @Describe('URL of the document. Null if it has none, or if the datasource was deleted.')
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
  @Describe('True if it matches a relevant reference of the question.')
  readonly relevant: boolean;

  @IsOptional()
  @IsBoolean()
  @Describe('True if the answer cites it. Absent for datastores.')
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
  @Describe('Time of the query in milliseconds.')
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
