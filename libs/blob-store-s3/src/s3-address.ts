import { InvalidBlobKey, splitBlobKey } from '@quarry/blob-store';

/** Describes the settings of an S3 server. */
export interface S3Settings {
  /** The address of the server, such as `http://minio:9000`. Undefined: AWS S3 in `region`. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /**
   * Credentials for the server. Undefined: the AWS SDK finds credentials, such as those of an instance role or of a
   * Kubernetes service account.
   */
  readonly credentials: S3Credentials | undefined;
  /** Time in which the server must respond to a ping, in milliseconds. Default: 10 s. */
  readonly pingTimeoutMs?: number;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * Describes the bucket of a blob store, and the prefix of all its keys in the bucket. The prefix is empty or ends with
 * `/`.
 */
export interface S3Location {
  readonly bucket: string;
  readonly prefix: string;
}

/** Parses an S3 address. @throws RangeError when `url` is not `s3://bucket` or `s3://bucket/prefix` */
export function parseS3Address(url: string): S3Location {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(url) ?? [];
  if (bucket === undefined) {
    throw new RangeError(
      `expected an S3 address of the form s3://bucket or s3://bucket/prefix, found ${JSON.stringify(url)}`,
    );
  }
  const prefix = path.replace(/\/$/, '');
  return { bucket, prefix: prefix === '' ? '' : `${normalizePrefix(prefix, url)}/` };
}

function normalizePrefix(prefix: string, url: string): string {
  try {
    return splitBlobKey(prefix).join('/');
  } catch (error) {
    if (!(error instanceof InvalidBlobKey)) throw error;
    throw new RangeError(`the prefix of ${JSON.stringify(url)} is invalid: ${error.message}`, { cause: error });
  }
}
