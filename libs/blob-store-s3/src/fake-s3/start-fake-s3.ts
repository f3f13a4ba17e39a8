import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { respondToS3Request } from './respond-to-s3-request.js';
import { FakeBucket } from './fake-bucket.js';
import { respondWithError } from './xml-responses.js';

export interface FakeS3 {
  /** The address, such as `http://127.0.0.1:39817`. The server has one bucket. */
  readonly endpoint: string;
  readonly bucket: FakeBucket;
  /** The requests that the server has received, in order, such as `PUT /bucket/key`. */
  readonly requests: readonly string[];
  /** Makes the given number of next requests fail with status 503. */
  failNextRequests(times: number): void;
  close(): Promise<void>;
}

/**
 * Starts an S3 server that stores objects in a temporary folder. It rejects requests that some S3 servers do not
 * accept.
 */
export async function startFakeS3(bucketName: string): Promise<FakeS3> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-s3-'));
  const bucket = new FakeBucket(bucketName, directory);
  const requests: string[] = [];
  let failures = 0;
  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (failures > 0) {
      failures -= 1;
      request.resume();
      respondWithError(response, 503, 'SlowDown');
      return;
    }
    await respondToS3Request(bucket, request, response);
  };
  const server = createServer((request, response) => {
    handleRequest(request, response).catch(() => {
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    requests,
    failNextRequests: (times) => {
      failures = times;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}
