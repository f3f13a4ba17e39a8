import {
  Describe,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsString,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { EvaluationSettings } from './evaluation.js';

/**
 * Lists the statuses of an evaluation. `waiting` and `running` are in progress. The others are final: `done`,
 * `cancelled`, and `error` if the evaluation stopped before its last question or all questions failed.
 */
const EVALUATION_STATUSES = ['waiting', 'running', 'done', 'cancelled', 'error'] as const;
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

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
    'Mean share of the relevant references that a result matches. Results are the `topK` results of a datastore, or the sources of an answer.',
  )
  readonly recall: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe(
    'Mean nDCG of the first ten results. The gain of a result is the number of references that no earlier result matches.',
  )
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
    'Share of questions with `expected` whose answer contains an expected text. For a datastore, whose results contain one.',
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
  @Describe('Agents only. Share of answerable questions whose answer cites a source.')
  readonly answered: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe('Median duration of a query in milliseconds.')
  readonly latencyP50Ms: EvaluationMeasure | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EvaluationMeasure)
  @Describe('95th percentile of the durations of the queries, in milliseconds.')
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
