import {
  Describe,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { IsNotBlank } from './is-not-blank.js';

const MAX_CONCURRENT_JOBS = 1_000;

/**
 * Default of `jobWeight`. Organizations share a busy queue in proportion to their weights: an organization of weight 2
 * gets twice the places of one of weight 1.
 */
export const DEFAULT_JOB_WEIGHT = 1;
const MAX_JOB_WEIGHT = 100;

/** Describes changes of the limits of an organization. An absent limit stays unchanged, and null removes a limit. */
export class SetOrganizationLimits {
  @Describe('Maximum number of agent and datastore queries per calendar month (UTC). Null: no limit.')
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly agentQueriesPerMonth?: number | null;

  @Describe('Maximum number of tokens of all searchable content. Null: no limit.')
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly storedTokens?: number | null;

  @Describe(
    'Maximum number of jobs that may run at once or wait for a retry, in each queue: ingestion, crawls, and listing syncs. Further jobs wait. Null: no limit.',
  )
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_CONCURRENT_JOBS)
  readonly concurrentJobs?: number | null;

  @Describe(
    `Share of the places in busy queues, relative to other organizations: one of weight 2 gets twice the places of one with weight 1. Null: ${DEFAULT_JOB_WEIGHT}.`,
  )
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_JOB_WEIGHT)
  readonly jobWeight?: number | null;
}

export const MAX_RETENTION_DAYS = 3_650;

/** Describes the body of `POST /organizations`. */
export class CreateOrganizationRequest {
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name: string;

  @Describe('Default: no limits.')
  @IsOptional()
  @ValidateNested()
  @Type(() => SetOrganizationLimits)
  readonly limits?: SetOrganizationLimits | null;

  @Describe(
    'Number of days after the last answer until a conversation is deleted. Null: conversations are not deleted.',
  )
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  readonly conversationRetentionDays?: number | null;
}

/** Describes the body of `PATCH /organizations/{id}`. Absent fields stay unchanged. */
export class UpdateOrganizationRequest {
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name?: string | null;

  @Describe('A limit that is null is removed; an absent one stays unchanged.')
  @IsOptional()
  @ValidateNested()
  @Type(() => SetOrganizationLimits)
  readonly limits?: SetOrganizationLimits | null;

  @Describe(
    'Number of days after the last answer until a conversation is deleted. Null: conversations are not deleted.',
  )
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  readonly conversationRetentionDays?: number | null;
}

@Describe('Usage limits of an organization. Null: no limit.')
export class OrganizationLimits {
  @OrNull()
  @IsInt()
  @Describe('Maximum number of agent and datastore queries per calendar month (UTC).')
  readonly agentQueriesPerMonth: number | null;

  @OrNull()
  @IsInt()
  @Describe('Maximum number of tokens of all searchable content.')
  readonly storedTokens: number | null;

  @OrNull()
  @IsInt()
  @Describe('Maximum number of jobs that may run at once or wait for a retry, in each queue.')
  readonly concurrentJobs: number | null;

  @IsInt()
  @Describe('Share of the places in busy queues, relative to other organizations.')
  readonly jobWeight: number;
}

@Describe('A tenant.')
export class OrganizationResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly name: string;

  @ValidateNested()
  @Type(() => OrganizationLimits)
  readonly limits: OrganizationLimits;

  @OrNull()
  @IsInt()
  @Describe(
    'Number of days after the last answer until a conversation is deleted. Null: conversations are not deleted.',
  )
  readonly conversationRetentionDays: number | null;

  @IsISO8601()
  readonly createdAt: string;
}

@Describe('A new tenant and its first API key.')
export class CreatedOrganizationResponse extends OrganizationResponse {
  @IsString()
  @Describe('API key with the scopes query, ingest and manage. It is shown only once; Quarry stores only its hash.')
  readonly apiKey: string;
}
