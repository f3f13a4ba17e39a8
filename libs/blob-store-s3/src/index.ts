export { openBlobStore, type BlobAddress } from './open-blob-store.js';
export { type S3Credentials, type S3Settings } from './s3-address.js';
