import { afterAll, beforeAll, describe } from 'vitest';
import { findQdrant, startQdrantServer, type QdrantServer, type QdrantServerOptions } from './qdrant-server.js';

const START_LIMIT_MS = 60_000;

/** Describes the environment variables that locate a Qdrant server or its program. */
export interface QdrantEnvironment {
  readonly QDRANT_URL?: string | undefined;
  readonly PATH?: string | undefined;
}

/** Defines tests that use a Qdrant server. `url` returns the URL of the server as soon as the server runs. */
type QdrantTests = (url: () => string) => void;

/**
 * Runs tests on the server at QDRANT_URL, or on a new server if `qdrant` is on PATH. Without either, the tests are
 * skipped, and the title states the reason.
 */
export async function describeWithQdrant(
  title: string,
  environment: QdrantEnvironment,
  tests: QdrantTests,
): Promise<void> {
  const { QDRANT_URL: url } = environment;
  if (url === undefined) {
    await describeWithNewQdrant(title, environment, {}, tests);
    return;
  }
  describe(title, () => {
    tests(() => url);
  });
}

/** Runs tests on a new server with the given options. The tests are skipped if there is no `qdrant` on PATH. */
export async function describeWithNewQdrant(
  title: string,
  { PATH, QDRANT_URL }: QdrantEnvironment,
  options: QdrantServerOptions,
  tests: QdrantTests,
): Promise<void> {
  const program = await findQdrant(PATH);
  if (program === undefined) {
    const other = QDRANT_URL === undefined ? ', and QDRANT_URL is not set' : '';
    describe.skip(`${title} (skipped: there is no qdrant on PATH${other})`, () => {
      tests(() => '');
    });
    return;
  }
  describe(title, () => {
    let server: QdrantServer | undefined;
    beforeAll(async () => {
      server = await startQdrantServer(program, options);
    }, START_LIMIT_MS);
    afterAll(() => server?.stop());
    tests(() => server?.url ?? '');
  });
}
