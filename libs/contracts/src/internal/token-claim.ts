import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Min } from '@quarry/validation';

/**
 * Describes a worker's request for permission to store the tokens of a document. The worker sends the request before it
 * embeds the document.
 */
export class TokenClaim {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  /** Identifies the run that indexes the document. Absent in claims of workers of earlier versions. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly runId?: string;

  @IsString()
  @IsNotEmpty()
  readonly documentKey: string;

  /** Number of tokens in all fragments of the document. */
  @IsInt()
  @Min(0)
  readonly tokens: number;
}

/**
 * Lists the reasons for rejecting a token claim: the limit of the organization is reached, the datasource was deleted,
 * or the run has ended.
 */
export const CLAIM_REFUSALS = ['usage_limit_reached', 'content_missing', 'run_ended'] as const;

/**
 * Describes the response to a token claim. Granted tokens stay reserved until the document settles. Then the number of
 * stored tokens of the document replaces the reservation.
 */
export class TokenGrant {
  @IsBoolean()
  readonly granted: boolean;

  /** Names the reason for the rejection. Absent: the tokens are granted. */
  @IsOptional()
  @IsIn(CLAIM_REFUSALS)
  readonly code?: (typeof CLAIM_REFUSALS)[number];

  /** Explains `code` to users. */
  @IsOptional()
  @IsString()
  readonly message?: string;
}

/** Requests tokens from the service that tracks the usage of the organization. @throws if the service is unavailable */
export type ClaimTokens = (claim: TokenClaim) => Promise<TokenGrant>;

/** Path at which the gateway accepts token claims. A granted claim is a reservation until the document settles. */
export const TOKEN_CLAIMS_PATH = '/internal/usage/reservations';
