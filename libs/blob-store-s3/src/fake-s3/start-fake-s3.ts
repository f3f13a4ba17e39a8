import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerS3 } from './answer-s3.js';
import { FakeBucket } from './fake-bucket.js';
import { refuse } from './refuse.js';

export interface FakeS3 {
  /** Such as `http://127.0.0.1:39817`. It has one bucket. */
  readonly endpoint: string;
  readonly bucket: FakeBucket;
  /** What was asked, such as `PUT /bucket/key`, in order. */
  readonly requests: readonly string[];
  /** The next so many requests are answered with 503. */
  failNext(times: number): void;
  close(): Promise<void>;
}

/** An S3 server that keeps its objects in a temporary folder, and asks for what strict servers ask for. */
export async function startFakeS3(bucketName: string): Promise<FakeS3> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-s3-'));
  const bucket = new FakeBucket(bucketName, directory);
  const requests: string[] = [];
  let failures = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (failures > 0) {
      failures -= 1;
      request.resume();
      refuse(response, 503, 'SlowDown');
      return;
    }
    await answerS3(bucket, request, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    requests,
    failNext: (times) => {
      failures = times;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}
