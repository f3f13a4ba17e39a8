import { InvalidBlobKey, segmentsOfKey } from '@quarry/blob-store';

/** How the server of an `s3://` address is reached. */
export interface S3Settings {
  /** Such as `http://minio:9000`. Undefined: AWS, in the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Undefined: what the machine gives, as the roles of AWS and of Kubernetes' service accounts are. */
  readonly credentials: S3Credentials | undefined;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A bucket, and what stands before every key in it: empty, or ending in `/`. */
export interface S3Location {
  readonly bucket: string;
  readonly prefix: string;
}

/** @throws RangeError when `url` is not `s3://bucket` or `s3://bucket/prefix` */
export function locationOf(url: string): S3Location {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(url) ?? [];
  if (bucket === undefined) {
    throw new RangeError(`an S3 address is s3://bucket or s3://bucket/prefix, found ${JSON.stringify(url)}`);
  }
  const prefix = path.replace(/\/$/, '');
  return { bucket, prefix: prefix === '' ? '' : `${checked(prefix, url)}/` };
}

function checked(prefix: string, url: string): string {
  try {
    return segmentsOfKey(prefix).join('/');
  } catch (error) {
    if (!(error instanceof InvalidBlobKey)) throw error;
    throw new RangeError(`the prefix of ${JSON.stringify(url)} cannot be used: ${error.message}`, { cause: error });
  }
}
