import { IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import { ConfigurationError } from './configuration-error.js';
import { parseEnvironment } from './environment.js';

class Environment {
  /** Location of the blobs: `s3://bucket/prefix`, or `file:///folder` for a folder that all services share. */
  @Matches(/^(s3:\/\/[^/]|file:\/\/\/)/, { message: 'must be an s3:// or file:/// address' })
  readonly QUARRY_BLOB_URL: string;

  /** Endpoint of an S3 server that is not AWS. Absent: AWS. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_S3_ENDPOINT?: string;

  @IsString()
  @IsNotEmpty()
  readonly QUARRY_S3_REGION: string = 'us-east-1';

  /**
   * Access key of the S3 server. Absent: the AWS SDK finds the credentials, such as those of an instance role or of a
   * Kubernetes service account.
   */
  @IsOptional()
  @IsString()
  readonly QUARRY_S3_ACCESS_KEY_ID?: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_S3_SECRET_ACCESS_KEY?: string;
}

/** Describes where blobs are stored. */
export interface BlobConfig {
  readonly url: string;
  readonly s3: {
    readonly endpoint: string | undefined;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  };
}

/** Reads the settings of the blob store. @throws ConfigurationError with all problems at once */
export function readBlobConfig(environment: NodeJS.ProcessEnv): BlobConfig {
  const variables = parseEnvironment(Environment, environment);
  return {
    url: variables.QUARRY_BLOB_URL,
    s3: {
      endpoint: variables.QUARRY_S3_ENDPOINT,
      region: variables.QUARRY_S3_REGION,
      credentials: readCredentials(variables),
    },
  };
}

function readCredentials({
  QUARRY_S3_ACCESS_KEY_ID: accessKeyId,
  QUARRY_S3_SECRET_ACCESS_KEY: secretAccessKey,
}: Environment): BlobConfig['s3']['credentials'] {
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  throw new ConfigurationError([
    `expected both QUARRY_S3_ACCESS_KEY_ID and QUARRY_S3_SECRET_ACCESS_KEY, found only ${accessKeyId === undefined ? 'QUARRY_S3_SECRET_ACCESS_KEY' : 'QUARRY_S3_ACCESS_KEY_ID'}`,
  ]);
}
