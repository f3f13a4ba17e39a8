import { Describe, IsIn, IsNumber, IsOptional, Max, Min } from '@quarry/validation';

/** The names of OpenAI's rankers. Both names select the ranking that Quarry is configured with. */
const RANKERS = ['auto', 'default-2024-11-15'] as const;

/** Describes how found texts are ranked. Source: `VectorStoreSearchRequest` and `RankingOptions` of openai/openai-openapi. */
export class RankingOptions {
  @Describe('Quarry uses its configured ranking. `none` is refused.')
  @IsOptional()
  @IsIn(RANKERS)
  readonly ranker?: (typeof RANKERS)[number];

  @Describe('Omits results with a lower score. Scores are comparable within one response only.')
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly score_threshold?: number;
}
