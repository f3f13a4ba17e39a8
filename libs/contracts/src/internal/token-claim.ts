import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Min } from '@quarry/validation';

/** What a worker asks before it embeds a document: may so many tokens be stored of it? */
export class TokenClaim {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly documentKey: string;

  /** Of all fragments of the document. */
  @IsInt()
  @Min(0)
  readonly tokens: number;
}

/** Why a claim was not granted: the organization's limit, or the datasource is gone. */
export const CLAIM_REFUSALS = ['usage_limit_reached', 'content_missing'] as const;

/** The answer. A claim that is granted holds until the document's end is told: then it is what was stored. */
export class TokenGrant {
  @IsBoolean()
  readonly granted: boolean;

  /** Given with every refusal. */
  @IsOptional()
  @IsIn(CLAIM_REFUSALS)
  readonly code?: (typeof CLAIM_REFUSALS)[number];

  /** The same for people. */
  @IsOptional()
  @IsString()
  readonly message?: string;
}

/** Asks whoever keeps the organization's tokens. @throws when nobody answers */
export type ClaimTokens = (claim: TokenClaim) => Promise<TokenGrant>;

/** Where a gateway answers claims. */
export const TOKEN_CLAIMS_PATH = '/internal/usage/reservations';
