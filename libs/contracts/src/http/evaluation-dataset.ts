import { Describe, IsInt, IsISO8601, IsString, Min, OrNull } from '@quarry/validation';

@Describe('A dataset of questions. It is deleted with its last evaluation.')
export class EvaluationDatasetResponse {
  @IsString()
  @Describe('Send it as `datasetId` to evaluate the same questions again.')
  readonly id: string;

  @IsString()
  readonly name: string;

  @IsInt()
  @Min(1)
  @Describe('Number of questions.')
  readonly questions: number;

  @IsInt()
  @Min(0)
  @Describe('Number of evaluations of the dataset.')
  readonly evaluations: number;

  @OrNull()
  @IsString()
  @Describe('Id of the newest evaluation of the dataset.')
  readonly newestEvaluationId: string | null;

  @IsISO8601()
  readonly createdAt: string;
}
