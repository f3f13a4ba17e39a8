import {
  Describe,
  IsArray,
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
import { QUESTION_MEASURES } from './evaluation-response.js';

/**
 * Lists the measures by which two evaluations are compared. A lower latency is better; for all other measures, a higher
 * value is better.
 */
const COMPARED_MEASURES = [...QUESTION_MEASURES, 'latencyMs'] as const;
export type ComparedMeasure = (typeof COMPARED_MEASURES)[number];

const VERDICTS = ['better', 'worse', 'no_significant_difference'] as const;
export type Verdict = (typeof VERDICTS)[number];

@Describe('The differences of a measure between two evaluations, over the questions to which it applies in both.')
export class MeasureComparison {
  @IsIn(COMPARED_MEASURES)
  readonly measure: ComparedMeasure;

  @IsInt()
  @Min(1)
  readonly questions: number;

  @IsInt()
  @Min(0)
  @Describe('Number of questions for which the evaluation in the path is better.')
  readonly better: number;

  @IsInt()
  @Min(0)
  readonly worse: number;

  @IsInt()
  @Min(0)
  readonly equal: number;

  @IsNumber()
  @Describe('Mean difference: the evaluation in the path minus the other one.')
  readonly difference: number;

  @IsNumber()
  @Describe('Lower end of the 95 % bootstrap interval of the difference.')
  readonly low: number;

  @IsNumber()
  readonly high: number;

  @IsNumber()
  @Min(0)
  @Max(1)
  @Describe('Two-sided p-value of a paired randomization test with 2,000 permutations.')
  readonly pValue: number;

  @IsIn(VERDICTS)
  @Describe('`better` or `worse` if the p-value is below 0.05.')
  readonly verdict: Verdict;
}

@Describe('A question whose measure differs between two evaluations.')
export class ChangedQuestion {
  @IsString()
  readonly id: string;

  @IsString()
  readonly question: string;

  @IsNumber()
  @Describe('Value in the evaluation in the path.')
  readonly value: number;

  @IsNumber()
  @Describe('Value in the other evaluation.')
  readonly other: number;
}

@Describe('The comparison of two evaluations of the same dataset, question by question.')
export class EvaluationComparison {
  @IsString()
  readonly evaluationId: string;

  @IsString()
  readonly withEvaluationId: string;

  @IsIn(VERDICTS)
  @Describe(
    'Verdict of the measure in `decidedBy`, which compares the evaluation in the path with the other evaluation.',
  )
  readonly verdict: Verdict;

  @OrNull()
  @IsIn(COMPARED_MEASURES)
  @Describe(
    'The measure that decides the verdict: the first of `answerContains` for agents, `ndcg10`, `answerContains`, `abstention` and `answered` that applies.',
  )
  readonly decidedBy: ComparedMeasure | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => MeasureComparison)
  readonly measures: readonly MeasureComparison[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ChangedQuestion)
  @Describe('The questions whose measure in `decidedBy` differs most, at most 50.')
  readonly changed: readonly ChangedQuestion[];
}
