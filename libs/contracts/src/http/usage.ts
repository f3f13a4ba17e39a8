import {
  Describe,
  IsArray,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';

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

/** Matches a day such as `2026-11-24`. Also matches days that do not exist, such as `2026-02-30`. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INVALID_DAY_MESSAGE = 'must be a day in UTC, such as 2026-11-24';

export class UsageDaysQuery {
  @Describe('First day in UTC, such as `2026-11-01`. Default: 29 days before the last day.')
  @IsOptional()
  @Matches(DAY, { message: INVALID_DAY_MESSAGE })
  @IsString()
  readonly from?: string;

  @Describe('Last day in UTC. Default: today. A range has at most 400 days.')
  @IsOptional()
  @Matches(DAY, { message: INVALID_DAY_MESSAGE })
  @IsString()
  readonly to?: string;
}

@Describe('Usage of a day in UTC.')
export class UsageDay {
  @IsString()
  @Matches(DAY)
  @Describe('The day in UTC, such as `2026-11-24`.')
  readonly day: string;

  @IsInt()
  @Min(0)
  @Describe('Number of agent queries. A query that fails before its answer starts is not counted.')
  readonly agentQueries: number;

  @IsInt()
  @Min(0)
  @Describe('Number of datastore queries.')
  readonly datastoreQueries: number;

  @OrNull()
  @IsInt()
  @Min(0)
  @Describe('Number of searchable tokens at the end of the day; for today, the current number. Null: not recorded.')
  readonly storedTokens: number | null;

  @OrNull()
  @IsInt()
  @Min(0)
  @Describe(
    'Number of documents with searchable tokens at the end of the day; for today, the current number. Null: not recorded.',
  )
  readonly storedDocuments: number | null;
}

@Describe('Usage of the organization by day. Contains each day of the range, including days without usage.')
export class UsageDaysResponse {
  @IsString()
  @Matches(DAY)
  @Describe('The first day.')
  readonly from: string;

  @IsString()
  @Matches(DAY)
  @Describe('The last day.')
  readonly to: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => UsageDay)
  @Describe('The days in ascending order.')
  readonly days: readonly UsageDay[];
}
