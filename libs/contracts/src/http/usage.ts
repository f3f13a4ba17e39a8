import { Describe, IsInt, IsISO8601, IsString, OrNull, Type, ValidateNested } from '@quarry/validation';

@Describe('The queries of a month. They end with 402 when `used` has come to `limit`.')
export class QueryUsage {
  @IsInt()
  @Describe('Queries of agents and of datastores together. One that failed before anything was answered is taken back.')
  readonly used: number;

  @OrNull()
  @IsInt()
  @Describe('`agentQueriesPerMonth` of the organization. Null: no limit.')
  readonly limit: number | null;

  @IsInt()
  @Describe('Of `used`: queries of agents.')
  readonly agentQueries: number;

  @IsInt()
  @Describe('Of `used`: queries of datastores.')
  readonly datastoreQueries: number;
}

@Describe('What can be searched now. Documents that would exceed the limit are not indexed.')
export class TokenUsage {
  @IsInt()
  @Describe('Tokens of all that is stored, and of what is being stored.')
  readonly used: number;

  @OrNull()
  @IsInt()
  @Describe('`storedTokens` of the organization. Null: no limit.')
  readonly limit: number | null;
}

@Describe('What the organization has used of its limits.')
export class UsageResponse {
  @IsString()
  @Describe('The calendar month in UTC, such as `2026-11`.')
  readonly month: string;

  @IsISO8601()
  @Describe('When the next month begins, and its queries are counted from 0.')
  readonly resetsAt: string;

  @ValidateNested()
  @Type(() => QueryUsage)
  readonly queries: QueryUsage;

  @ValidateNested()
  @Type(() => TokenUsage)
  readonly storedTokens: TokenUsage;
}
