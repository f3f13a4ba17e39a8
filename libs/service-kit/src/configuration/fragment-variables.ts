import { BooleanFromText, IntegerFromText, IsNotEmpty, IsOptional, IsString, IsUrl } from '@quarry/validation';
import { ConfigurationError, parseEnvironment } from './environment.js';

class Environment {
  /** Where fragments are kept: a Qdrant server or cluster… */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QDRANT_URL?: string;

  @IsOptional()
  @IsString()
  readonly QDRANT_API_KEY?: string;

  /** The next three are of collections that are made from now on; one that exists keeps its layout. */
  @IntegerFromText({ min: 1, max: 1_000 })
  readonly QDRANT_SHARDS: number = 1;

  @IntegerFromText({ min: 1, max: 10 })
  readonly QDRANT_REPLICAS: number = 1;

  /** Vectors on disk, and one byte a dimension of them in memory: a quarter of the memory, about the same results. */
  @BooleanFromText()
  readonly QDRANT_QUANTIZED: boolean = false;

  /** …or a folder on this machine, with LanceDB, into which one ingestion worker writes. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_LANCEDB_DIR?: string;

  /** How much of LanceDB's indexes is kept in memory. */
  @IsOptional()
  @IntegerFromText({ min: 16, max: 1_048_576 })
  readonly QUARRY_LANCEDB_CACHE_MB?: number;
}

/** Where fragments are. */
export type FragmentsConfig =
  | {
      readonly kind: 'qdrant';
      readonly url: string;
      readonly apiKey: string | undefined;
      readonly layout: { readonly shards: number; readonly replicas: number; readonly quantized: boolean };
    }
  | {
      readonly kind: 'lancedb';
      readonly directory: string;
      /** Undefined: as much as suits the machine. */
      readonly cacheBytes: number | undefined;
    };

/** @throws ConfigurationError with all problems at once */
export function readFragmentsConfig(environment: NodeJS.ProcessEnv): FragmentsConfig {
  const variables = parseEnvironment(Environment, environment);
  const { QDRANT_URL: url, QDRANT_API_KEY: apiKey, QUARRY_LANCEDB_DIR: directory } = variables;
  const layout = {
    shards: variables.QDRANT_SHARDS,
    replicas: variables.QDRANT_REPLICAS,
    quantized: variables.QDRANT_QUANTIZED,
  };
  if (url !== undefined && directory === undefined) return { kind: 'qdrant', url, apiKey, layout };
  if (directory !== undefined && url === undefined)
    return { kind: 'lancedb', directory, cacheBytes: bytesOf(variables.QUARRY_LANCEDB_CACHE_MB) };
  const found = url === undefined ? 'neither' : 'both';
  throw new ConfigurationError([`QDRANT_URL or QUARRY_LANCEDB_DIR must say where fragments are kept, found ${found}`]);
}

function bytesOf(mib: number | undefined): number | undefined {
  return mib === undefined ? undefined : mib * 2 ** 20;
}
