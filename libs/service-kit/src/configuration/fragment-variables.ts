import { BooleanFromText, IntegerFromText, IsNotEmpty, IsOptional, IsString, IsUrl } from '@quarry/validation';
import { ConfigurationError } from './configuration-error.js';
import { parseEnvironment } from './environment.js';

class Environment {
  /** Address of a Qdrant server or cluster. Exactly one of QDRANT_URL and QUARRY_LANCEDB_DIR is required. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QDRANT_URL?: string;

  @IsOptional()
  @IsString()
  readonly QDRANT_API_KEY?: string;

  /**
   * Number of shards of a new Qdrant collection. This variable and the next three variables do not change existing
   * collections.
   */
  @IntegerFromText({ min: 1, max: 1_000 })
  readonly QDRANT_SHARDS: number = 1;

  /** Assigns all fragments of an organization to one shard. Requires the cluster mode of Qdrant. */
  @BooleanFromText()
  readonly QDRANT_TENANT_SHARDS: boolean = false;

  @IntegerFromText({ min: 1, max: 10 })
  readonly QDRANT_REPLICAS: number = 1;

  /**
   * Stores vectors on disk, and a copy with one byte per dimension in memory. The copy needs a quarter of the memory
   * that the vectors would need, and searches find nearly the same results.
   */
  @BooleanFromText()
  readonly QDRANT_QUANTIZED: boolean = false;

  /** Folder of LanceDB on this machine. Only one ingestion worker may write to the folder. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_LANCEDB_DIR?: string;

  /** Size of LanceDB's index cache, in MiB. Absent: derived from the memory of the machine. */
  @IsOptional()
  @IntegerFromText({ min: 16, max: 1_048_576 })
  readonly QUARRY_LANCEDB_CACHE_MB?: number;
}

/** Describes where fragments are stored: in Qdrant or in LanceDB. */
export type FragmentsConfig =
  | {
      readonly kind: 'qdrant';
      readonly url: string;
      readonly apiKey: string | undefined;
      readonly layout: {
        readonly shards: number;
        readonly tenantShards: boolean;
        readonly replicas: number;
        readonly quantized: boolean;
      };
    }
  | {
      readonly kind: 'lancedb';
      readonly directory: string;
      /** Size of LanceDB's index cache, in bytes. Undefined: derived from the memory of the machine. */
      readonly cacheBytes: number | undefined;
    };

/** Reads the settings of the fragment store. @throws ConfigurationError with all problems at once */
export function readFragmentsConfig(environment: NodeJS.ProcessEnv): FragmentsConfig {
  const variables = parseEnvironment(Environment, environment);
  const { QDRANT_URL: url, QDRANT_API_KEY: apiKey, QUARRY_LANCEDB_DIR: directory } = variables;
  const layout = {
    shards: variables.QDRANT_SHARDS,
    tenantShards: variables.QDRANT_TENANT_SHARDS,
    replicas: variables.QDRANT_REPLICAS,
    quantized: variables.QDRANT_QUANTIZED,
  };
  if (url !== undefined && directory === undefined) return { kind: 'qdrant', url, apiKey, layout };
  if (directory !== undefined && url === undefined)
    return { kind: 'lancedb', directory, cacheBytes: convertMibToBytes(variables.QUARRY_LANCEDB_CACHE_MB) };
  const found = url === undefined ? 'neither' : 'both';
  throw new ConfigurationError([`expected exactly one of QDRANT_URL and QUARRY_LANCEDB_DIR, found ${found}`]);
}

function convertMibToBytes(mib: number | undefined): number | undefined {
  return mib === undefined ? undefined : mib * 2 ** 20;
}
