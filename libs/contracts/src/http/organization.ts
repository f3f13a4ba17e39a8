import {
  Describe,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';

/** What an organization is given: absent leaves a limit as it is, null takes it away. */
export class SetOrganizationLimits {
  @Describe('Queries of agents and datastores in a calendar month (UTC). Null: no limit.')
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly agentQueriesPerMonth?: number | null;

  @Describe('Tokens of everything that can be searched. Null: no limit.')
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly storedTokens?: number | null;
}

export const MAX_RETENTION_DAYS = 3_650;

/** Body of `POST /organizations`. */
export class CreateOrganizationRequest {
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  readonly name: string;

  @Describe('Absent: no limits.')
  @IsOptional()
  @ValidateNested()
  @Type(() => SetOrganizationLimits)
  readonly limits?: SetOrganizationLimits | null;

  @Describe('Conversations are removed so many days after their last answer. Null: they are kept.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  readonly conversationRetentionDays?: number | null;
}

/** Body of `PATCH /organizations/{id}`: what is absent stays as it is. */
export class UpdateOrganizationRequest {
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  readonly name?: string | null;

  @Describe('A limit that is null is taken away, one that is absent stays as it is.')
  @IsOptional()
  @ValidateNested()
  @Type(() => SetOrganizationLimits)
  readonly limits?: SetOrganizationLimits | null;

  @Describe('Conversations are removed so many days after their last answer. Null: they are kept.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  readonly conversationRetentionDays?: number | null;
}

@Describe('What an organization may use; null: no limit.')
export class OrganizationLimits {
  @OrNull()
  @IsInt()
  @Describe('Queries of agents and datastores in a calendar month (UTC).')
  readonly agentQueriesPerMonth: number | null;

  @OrNull()
  @IsInt()
  @Describe('Tokens of everything that can be searched.')
  readonly storedTokens: number | null;
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
  @Describe('Conversations are removed so many days after their last answer. Null: they are kept.')
  readonly conversationRetentionDays: number | null;

  @IsISO8601()
  readonly createdAt: string;
}

@Describe('A new tenant, and its first key.')
export class CreatedOrganizationResponse extends OrganizationResponse {
  @IsString()
  @Describe('With the scopes query, ingest and manage. Shown this once: nothing but its hash is kept.')
  readonly apiKey: string;
}
