import { Describe, IsInt, IsISO8601, IsString, OrNull, Type, ValidateNested } from '@quarry/validation';

@Describe('Number of queries this month. When `used` reaches `limit`, queries are rejected with status 402.')
export class QueryUsage {
  @IsInt()
  @Describe('Number of agent and datastore queries. A query that fails before its answer starts is not counted.')
  readonly used: number;

  @OrNull()
  @IsInt()
  @Describe('`agentQueriesPerMonth` of the organization. Null: no limit.')
  readonly limit: number | null;

  @IsInt()
  @Describe('Number of agent queries in `used`.')
  readonly agentQueries: number;

  @IsInt()
  @Describe('Number of datastore queries in `used`.')
  readonly datastoreQueries: number;
}

@Describe('Number of searchable tokens. Documents that would exceed the limit are not indexed.')
export class TokenUsage {
  @IsInt()
  @Describe('Number of tokens that are stored or reserved for documents in progress.')
  readonly used: number;

  @OrNull()
  @IsInt()
  @Describe('`storedTokens` of the organization. Null: no limit.')
  readonly limit: number | null;
}

@Describe('Usage of the organization and its limits.')
export class UsageResponse {
  @IsString()
  @Describe('The calendar month in UTC, such as `2026-11`.')
  readonly month: string;

  @IsISO8601()
  @Describe('Start of the next month, when the number of queries is reset.')
  readonly resetsAt: string;

  @ValidateNested()
  @Type(() => QueryUsage)
  readonly queries: QueryUsage;

  @ValidateNested()
  @Type(() => TokenUsage)
  readonly storedTokens: TokenUsage;
}
