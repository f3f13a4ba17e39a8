import type { EmbeddingSettings } from '@quarry/contracts';
import { ConfigurationError, parseEnvironment, readTrustedProxies, type TrustedProxies } from '@quarry/service-kit';
import { BooleanFromText, IntegerFromText, IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import { DEFAULT_LIMITS, type Limits } from './limits.js';
import { type OidcSettings, readOidcSettings } from './oidc/oidc-settings.js';

const MIB = 1_048_576;
const GIB = 1_073_741_824;
const MINUTE_MS = 60_000;
/**
 * Time in milliseconds for which a resumable answer continues after its client has disconnected. docs/guide.md states
 * this time.
 */
const RESUME_GRACE_MS = 30_000;

/** Settings that a gateway has both as a process of its own and in a one-machine installation. */
export interface GatewaySettings {
  readonly limits: Limits;
  /** Maximum number of requests per minute and API key. 0: no limit. */
  readonly requestsPerMinute: number;
  /** Maximum number of requests without a valid API key, per minute and IP address of a client. 0: no limit. */
  readonly refusalsPerMinute: number;
  /** The proxies that are trusted to forward the IP address of the client. */
  readonly trustedProxies: TrustedProxies;
  /**
   * The address at which clients reach the gateway, without a trailing `/`. Undefined: it is derived from each request.
   */
  readonly publicUrl: string | undefined;
  /**
   * Time in milliseconds for which the watchdog waits for the final event of an ended job. After this time, the job is
   * treated as lost.
   */
  readonly lostAfterMs: number;
  /**
   * Interval at which the watchdog runs, in milliseconds. The watchdog checks only runs that had no event during this
   * interval.
   */
  readonly watchMs: number;
  /** Time in milliseconds for which a resumable answer continues after its client has disconnected. */
  readonly resumeGraceMs: number;
  /**
   * The external issuer whose access tokens the MCP endpoints accept. Undefined: the endpoints accept API keys only.
   */
  readonly oidc: OidcSettings | undefined;
  /**
   * The default embedding settings of new datastores. Undefined: by default, new datastores support lexical search
   * only.
   */
  readonly embedding: EmbeddingSettings | undefined;
  /** The address at which the gateway of a one-machine installation looks for an Ollama server of this machine. */
  readonly ollamaUrl: string;
  /**
   * Defines which services may connect to loopback addresses, for tests and local development. Must equal the settings
   * of these services.
   */
  readonly allowLoopback: { readonly crawler: boolean; readonly catalog: boolean; readonly webhooks: boolean };
}

/** Optional environment variables of the gateway, with their defaults. Sizes are in bytes. */
class Environment {
  @IntegerFromText({ min: 1, max: 10 * GIB })
  readonly QUARRY_MAX_FILE_BYTES: number = DEFAULT_LIMITS.fileBytes;

  @IntegerFromText({ min: 1, max: GIB })
  readonly QUARRY_MAX_UPSERT_BYTES: number = DEFAULT_LIMITS.upsertBytes;

  @IntegerFromText({ min: 1, max: 2_000 })
  readonly QUARRY_MAX_UPSERT_DOCUMENTS: number = DEFAULT_LIMITS.upsertDocuments;

  @IntegerFromText({ min: 2, max: 1_048_576 })
  readonly QUARRY_MAX_METADATA_BYTES: number = DEFAULT_LIMITS.metadataBytes;

  @IntegerFromText({ min: 1, max: 1_048_576 })
  readonly QUARRY_MAX_QUERY_CHARACTERS: number = DEFAULT_LIMITS.queryCharacters;

  @IntegerFromText({ min: 1_024, max: 100 * MIB })
  readonly QUARRY_MAX_EVALUATION_BYTES: number = DEFAULT_LIMITS.evaluationBytes;

  @IntegerFromText({ min: 1, max: 5_000 })
  readonly QUARRY_MAX_EVALUATION_QUESTIONS: number = DEFAULT_LIMITS.evaluationQuestions;

  @IntegerFromText({ min: 1_024, max: GIB })
  readonly QUARRY_MAX_BODY_BYTES: number = DEFAULT_LIMITS.bodyBytes;

  @IntegerFromText({ min: 0, max: 1_000_000 })
  readonly QUARRY_RATE_LIMIT: number = 600;

  @IntegerFromText({ min: 0, max: 1_000_000 })
  readonly QUARRY_REFUSAL_LIMIT: number = 60;

  @IsOptional()
  @IsString()
  readonly QUARRY_TRUSTED_PROXIES?: string;

  @IsOptional()
  @IsUrl({
    require_tld: false,
    protocols: ['http', 'https'],
    require_protocol: true,
    allow_query_components: false,
    allow_fragments: false,
    disallow_auth: true,
  })
  readonly QUARRY_PUBLIC_URL?: string;

  @IntegerFromText({ min: 1, max: 10_080 })
  readonly QUARRY_RUN_LOST_AFTER_MINUTES: number = 15;

  @IntegerFromText({ min: 1, max: 3_600 })
  readonly QUARRY_WATCH_SECONDS: number = 60;

  /** Must equal the setting of the crawler with the same name, so that the API refuses the same addresses. */
  @BooleanFromText()
  readonly QUARRY_CRAWLER_ALLOW_LOOPBACK: boolean = false;

  /** Must equal the setting of catalog-sync with the same name, so that the API refuses the same addresses. */
  @BooleanFromText()
  readonly QUARRY_CATALOG_ALLOW_LOOPBACK: boolean = false;

  /** Allows webhooks at 127.0.0.1, for tests and local development. */
  @BooleanFromText()
  readonly QUARRY_WEBHOOKS_ALLOW_LOOPBACK: boolean = false;

  /**
   * The address of the Ollama server whose models a one-machine installation offers. Must be an address of this
   * machine.
   */
  @Matches(/^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/, {
    message: 'must be an address of this machine such as http://127.0.0.1:11434',
  })
  readonly QUARRY_OLLAMA_URL: string = 'http://127.0.0.1:11434';

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_EMBEDDING_MODEL?: string;

  @IsOptional()
  @IntegerFromText({ min: 1, max: 8_192 })
  readonly QUARRY_EMBEDDING_DIMENSIONS?: number;
}

/**
 * Reads the settings of the gateway from environment variables. @throws ConfigurationError with all problems at once
 */
export function readSettings(environment: NodeJS.ProcessEnv): GatewaySettings {
  const variables = parseEnvironment(Environment, environment);
  refuseLoopbackInProduction(variables, environment);
  return {
    limits: {
      fileBytes: variables.QUARRY_MAX_FILE_BYTES,
      upsertBytes: variables.QUARRY_MAX_UPSERT_BYTES,
      upsertDocuments: variables.QUARRY_MAX_UPSERT_DOCUMENTS,
      metadataBytes: variables.QUARRY_MAX_METADATA_BYTES,
      queryCharacters: variables.QUARRY_MAX_QUERY_CHARACTERS,
      evaluationBytes: variables.QUARRY_MAX_EVALUATION_BYTES,
      evaluationQuestions: variables.QUARRY_MAX_EVALUATION_QUESTIONS,
      bodyBytes: variables.QUARRY_MAX_BODY_BYTES,
    },
    requestsPerMinute: variables.QUARRY_RATE_LIMIT,
    refusalsPerMinute: variables.QUARRY_REFUSAL_LIMIT,
    trustedProxies: readTrustedProxies('QUARRY_TRUSTED_PROXIES', variables.QUARRY_TRUSTED_PROXIES),
    publicUrl: variables.QUARRY_PUBLIC_URL?.replace(/(?<!\/)\/+$/, ''),
    lostAfterMs: variables.QUARRY_RUN_LOST_AFTER_MINUTES * MINUTE_MS,
    watchMs: variables.QUARRY_WATCH_SECONDS * 1_000,
    resumeGraceMs: RESUME_GRACE_MS,
    oidc: readOidcSettings(environment),
    embedding: readEmbeddingSettings(variables),
    ollamaUrl: variables.QUARRY_OLLAMA_URL,
    allowLoopback: {
      crawler: variables.QUARRY_CRAWLER_ALLOW_LOOPBACK,
      catalog: variables.QUARRY_CATALOG_ALLOW_LOOPBACK,
      webhooks: variables.QUARRY_WEBHOOKS_ALLOW_LOOPBACK,
    },
  };
}

/** The variables that allow connections to loopback addresses. Each is refused if `NODE_ENV` is `production`. */
const LOOPBACK_VARIABLES = [
  'QUARRY_CRAWLER_ALLOW_LOOPBACK',
  'QUARRY_CATALOG_ALLOW_LOOPBACK',
  'QUARRY_WEBHOOKS_ALLOW_LOOPBACK',
] as const;

/** @throws ConfigurationError if a production environment allows connections to loopback addresses */
function refuseLoopbackInProduction(variables: Environment, environment: NodeJS.ProcessEnv): void {
  const allowing = LOOPBACK_VARIABLES.filter((name) => variables[name]);
  if (allowing.length > 0 && environment['NODE_ENV'] === 'production')
    throw new ConfigurationError(allowing.map((name) => `${name} must not be true when NODE_ENV is production`));
}

function readEmbeddingSettings(variables: Environment): EmbeddingSettings | undefined {
  const { QUARRY_EMBEDDING_MODEL: model, QUARRY_EMBEDDING_DIMENSIONS: dimensions } = variables;
  if (model === undefined && dimensions === undefined) return undefined;
  if (model !== undefined && dimensions !== undefined) return { model, dimensions, distance: 'cosine' };
  throw new ConfigurationError([
    `QUARRY_EMBEDDING_MODEL and QUARRY_EMBEDDING_DIMENSIONS must both be set or both be absent, found only ${model === undefined ? 'QUARRY_EMBEDDING_DIMENSIONS' : 'QUARRY_EMBEDDING_MODEL'}`,
  ]);
}
