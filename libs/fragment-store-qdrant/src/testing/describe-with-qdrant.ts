import { afterAll, beforeAll, describe } from 'vitest';
import { findQdrant, startQdrantServer, type QdrantServer } from './qdrant-server.js';

const START_LIMIT_MS = 60_000;

/** Describes the environment variables that locate a server. */
export interface QdrantPlaces {
  readonly QDRANT_URL?: string | undefined;
  readonly PATH?: string | undefined;
}

/**
 * Runs tests on the server at QDRANT_URL, or on a new server if `qdrant` is on PATH. If there is neither, the tests are
 * skipped, and the title gives the reason.
 *
 * @param tests receives a function that returns the URL once the server runs
 */
export async function describeWithQdrant(
  title: string,
  { QDRANT_URL, PATH }: QdrantPlaces,
  tests: (url: () => string) => void,
): Promise<void> {
  const program = await findQdrant(PATH);
  if (QDRANT_URL === undefined && program === undefined) {
    describe.skip(`${title} (skipped: there is no qdrant on PATH, and QDRANT_URL is not set)`, () => {
      tests(() => '');
    });
    return;
  }
  describe(title, () => {
    let server: QdrantServer | undefined;
    beforeAll(async () => {
      if (QDRANT_URL === undefined && program !== undefined) server = await startQdrantServer(program);
    }, START_LIMIT_MS);
    afterAll(() => server?.stop());
    tests(() => server?.url ?? QDRANT_URL ?? '');
  });
}

/** Runs tests on a new cluster of one node. They are skipped if there is no `qdrant` on PATH. */
export async function describeWithQdrantCluster(
  title: string,
  { PATH }: QdrantPlaces,
  tests: (url: () => string) => void,
): Promise<void> {
  const program = await findQdrant(PATH);
  if (program === undefined) {
    describe.skip(`${title} (skipped: there is no qdrant on PATH)`, () => {
      tests(() => '');
    });
    return;
  }
  describe(title, () => {
    let server: QdrantServer | undefined;
    beforeAll(async () => {
      server = await startQdrantServer(program, { cluster: true });
    }, START_LIMIT_MS);
    afterAll(() => server?.stop());
    tests(() => server?.url ?? '');
  });
}
