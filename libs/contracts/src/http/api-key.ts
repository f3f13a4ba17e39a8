import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { SCOPES, type Scope } from './scopes.js';

/** Most agents, or datastores, that a key can be limited to. */
const MAX_LIMITS = 100;

/** Body of `POST /api-keys`. */
export class CreateApiKeyRequest {
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  readonly name: string;

  @Describe('None that the key which asks does not have.')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  readonly scopes: readonly Scope[];

  @Describe('Limits the key to these agents. Absent: no limit, unless `datastoreIds` sets one.')
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_LIMITS)
  @IsString({ each: true })
  readonly agentIds?: readonly string[] | null;

  @Describe('Limits the key to these datastores. Absent: no limit, unless `agentIds` sets one.')
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_LIMITS)
  @IsString({ each: true })
  readonly datastoreIds?: readonly string[] | null;

  @Describe('When the key stops working: ISO 8601, in the future. Absent: never.')
  @IsOptional()
  @IsISO8601({ strict: true })
  readonly expiresAt?: string | null;
}

/** Body of `PATCH /api-keys/{id}`. */
export class UpdateApiKeyRequest {
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  readonly name: string;
}

@Describe('What a limited key reaches: nothing that neither list names.')
export class ApiKeyLimits {
  @IsArray()
  @IsString({ each: true })
  readonly agentIds: readonly string[];

  @IsArray()
  @IsString({ each: true })
  readonly datastoreIds: readonly string[];
}

@Describe('An API key, but for its text.')
export class ApiKeyResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly name: string;

  @IsString()
  @Describe('The first characters of the key, by which people tell keys apart.')
  readonly prefix: string;

  @IsArray()
  @IsIn(SCOPES, { each: true })
  readonly scopes: readonly Scope[];

  @OrNull()
  @ValidateNested()
  @Type(() => ApiKeyLimits)
  @Describe('Null: it reaches everything of its organization.')
  readonly limits: ApiKeyLimits | null;

  @IsBoolean()
  @Describe('Whether it is the key of the installation, which its configuration sets.')
  readonly root: boolean;

  @OrNull()
  @IsISO8601()
  @Describe('When it stops working; null: never.')
  readonly expiresAt: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('Right to the minute; null: never used.')
  readonly lastUsedAt: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('Since when it does not work any more; null: it was not revoked.')
  readonly revokedAt: string | null;

  @IsISO8601()
  readonly createdAt: string;
}

@Describe('A new API key.')
export class CreatedApiKeyResponse extends ApiKeyResponse {
  @IsString()
  @Describe('The key itself. Shown this once: nothing but its hash is kept.')
  readonly key: string;
}
