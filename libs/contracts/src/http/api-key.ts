import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsISO8601,
  IsOptional,
  IsString,
  MaxLength,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { IsNotBlank } from './is-not-blank.js';
import { SCOPES, type Scope } from './scopes.js';

/** Lists other APIs whose response format an API key can select instead of the format of Quarry. */
export const COMPATIBILITIES = ['chaindesk'] as const;
export type Compatibility = (typeof COMPATIBILITIES)[number];

/** Maximum number of agents to which an API key can be limited. The same maximum applies to datastores. */
const MAX_LIMITS = 100;

/** Describes the body of `POST /api-keys`. */
export class CreateApiKeyRequest {
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name: string;

  @Describe('Scopes of the new key. The key that makes the request must have all of them.')
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

  @Describe(
    'Time at which the key expires, ISO 8601, in the future. Without an offset, the time is in UTC. Default: the key does not expire.',
  )
  @IsOptional()
  @IsISO8601({ strict: true })
  readonly expiresAt?: string | null;

  @Describe(
    'Returns responses to this key in the shapes of another API, for clients that were written for it. `chaindesk`: see docs/compatibility.md. Default: null, the shapes of this document.',
  )
  @IsOptional()
  @IsIn(COMPATIBILITIES)
  readonly compatibility?: Compatibility | null;
}

/** Describes the body of `PATCH /api-keys/{id}`. */
export class UpdateApiKeyRequest {
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name: string;
}

@Describe('Resources that a limited key can access. It cannot access any other.')
export class ApiKeyLimits {
  @IsArray()
  @IsString({ each: true })
  readonly agentIds: readonly string[];

  @IsArray()
  @IsString({ each: true })
  readonly datastoreIds: readonly string[];
}

@Describe('An API key, without its secret.')
export class ApiKeyResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly name: string;

  @IsString()
  @Describe('First characters of the key, for recognition.')
  readonly prefix: string;

  @IsArray()
  @IsIn(SCOPES, { each: true })
  readonly scopes: readonly Scope[];

  @OrNull()
  @ValidateNested()
  @Type(() => ApiKeyLimits)
  @Describe('Null if the key can access everything in its organization.')
  readonly limits: ApiKeyLimits | null;

  @IsBoolean()
  @Describe('True for the root key, which is set in the configuration of the installation.')
  readonly root: boolean;

  @OrNull()
  @IsIn(COMPATIBILITIES)
  @Describe('API whose formats the responses to this key have. Null: the formats of this document.')
  readonly compatibility: Compatibility | null;

  @OrNull()
  @IsISO8601()
  @Describe('Time at which the key expires. Null if it does not expire.')
  readonly expiresAt: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('Time of the last request, accurate to the minute. Null if the key was never used.')
  readonly lastUsedAt: string | null;

  @OrNull()
  @IsISO8601()
  @Describe('Time at which the key was revoked. Null if it was not.')
  readonly revokedAt: string | null;

  @IsISO8601()
  readonly createdAt: string;
}

@Describe('A new API key.')
export class CreatedApiKeyResponse extends ApiKeyResponse {
  @IsString()
  @Describe('The key itself. It is shown only once; Quarry stores only its hash.')
  readonly key: string;
}
