import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { FakeBucket } from './fake-bucket.js';
import { respondWithXml, respondWithError } from './xml-responses.js';

/** The access key that the fake server accepts. */
export const ACCESS_KEY = 'access-key-of-the-tests';

const ETAG = '"0123456789abcdef0123456789abcdef"';
/** Maximum number of keys or uploads per page of a list. It is small, so that lists in tests have several pages. */
const KEYS_PER_PAGE = 2;

/** Responds to a path-style request to the bucket. Supports only the operations that the blob store uses. */
export async function respondToS3Request(
  bucket: FakeBucket,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', 'http://fake');
  const [, name = '', ...segments] = url.pathname.split('/').map(decodeURIComponent);
  const key = segments.join('/');
  if (request.headers.authorization?.includes(`Credential=${ACCESS_KEY}/`) !== true) {
    request.resume();
    respondWithError(response, 403, 'InvalidAccessKeyId');
  } else if (name !== bucket.name) {
    request.resume();
    respondWithError(response, 404, 'NoSuchBucket');
  } else if (key === '') {
    respondToBucketRequest(bucket, request, url, response);
  } else {
    await respondToObjectRequest(bucket, { request, response, key, query: url.searchParams });
  }
}

function respondToBucketRequest(
  bucket: FakeBucket,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): void {
  if (request.method === 'HEAD') response.end();
  else
    respondWithXml(
      response,
      200,
      (url.searchParams.has('uploads') ? buildUploadListXml : buildKeyListXml)(bucket, url.searchParams),
    );
}

function buildUploadListXml(bucket: FakeBucket, query: URLSearchParams): string {
  const after = query.get('upload-id-marker');
  const found = [...bucket.uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''));
  const begin = found.findIndex(([id]) => id === after) + 1;
  const page = found.slice(begin, begin + KEYS_PER_PAGE);
  const last = page.at(-1);
  const next =
    last === undefined || last === found.at(-1)
      ? '<IsTruncated>false</IsTruncated>'
      : `<IsTruncated>true</IsTruncated><NextKeyMarker>${last[1].key}</NextKeyMarker><NextUploadIdMarker>${last[0]}</NextUploadIdMarker>`;
  const shown = page.map(
    ([id, { key, initiated }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
  );
  return `<ListMultipartUploadsResult>${next}${shown.join('')}</ListMultipartUploadsResult>`;
}

function buildKeyListXml(bucket: FakeBucket, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? '';
  const found = bucket.keys.filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after);
  const page = found.slice(0, KEYS_PER_PAGE);
  const next = found.length > page.length ? `<NextContinuationToken>${page.at(-1) ?? ''}</NextContinuationToken>` : '';
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  return `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents}</ListBucketResult>`;
}

interface ObjectRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly key: string;
  readonly query: URLSearchParams;
}

async function respondToObjectRequest(bucket: FakeBucket, objectRequest: ObjectRequest): Promise<void> {
  const { request, response, key, query } = objectRequest;
  const upload = query.get('uploadId');
  if (request.method === 'PUT') await respondToPut(bucket, objectRequest, upload);
  else if (request.method === 'GET') await respondToGet(bucket, objectRequest);
  else if (request.method === 'POST') await respondToPost(bucket, objectRequest, upload);
  else {
    if (upload === null) bucket.removeObject(key);
    else bucket.abortUpload(upload);
    response.writeHead(204).end();
  }
}

async function respondToPut(
  bucket: FakeBucket,
  { request, response, key, query }: ObjectRequest,
  upload: string | null,
): Promise<void> {
  const length = request.headers['content-length'];
  if (length === undefined || 'x-amz-trailer' in request.headers || 'content-encoding' in request.headers) {
    request.resume();
    respondWithError(
      response,
      length === undefined ? 411 : 501,
      length === undefined ? 'MissingContentLength' : 'NotImplemented',
    );
    return;
  }
  if (upload === null) await bucket.putObject(key, request, Number(length));
  else if (!(await bucket.putUploadPart(upload, Number(query.get('partNumber')), request, Number(length)))) {
    respondWithError(response, 404, 'NoSuchUpload');
    return;
  }
  response.writeHead(200, { ETag: ETAG }).end();
}

async function respondToGet(bucket: FakeBucket, { request, response, key }: ObjectRequest): Promise<void> {
  const found = await bucket.openObject(key);
  if (found === undefined) {
    respondWithError(response, 404, 'NoSuchKey');
    return;
  }
  const [, first = '0', last = String(found.size - 1)] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const range = { start: Number(first), end: Math.min(Number(last), found.size - 1) };
  const status = request.headers.range === undefined ? 200 : 206;
  response.writeHead(status, { 'Content-Length': range.end - range.start + 1, ETag: ETAG });
  await pipeline(found.file.createReadStream(found.size === 0 ? {} : range), response);
}

async function respondToPost(
  bucket: FakeBucket,
  { request, response, key }: ObjectRequest,
  upload: string | null,
): Promise<void> {
  const body = await text(request);
  if (upload === null) {
    respondWithXml(
      response,
      200,
      `<InitiateMultipartUploadResult><UploadId>${bucket.beginUpload(key)}</UploadId></InitiateMultipartUploadResult>`,
    );
    return;
  }
  const parts = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, part]) => Number(part));
  if (await bucket.completeUpload(upload, key, parts)) {
    respondWithXml(
      response,
      200,
      `<CompleteMultipartUploadResult><ETag>${ETAG}</ETag></CompleteMultipartUploadResult>`,
    );
  } else {
    respondWithError(response, 404, 'NoSuchUpload');
  }
}
