export { openS3BlobStore } from './s3-blob-store.js';
export { type S3Credentials, type S3Settings } from './s3-address.js';
