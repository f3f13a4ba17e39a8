import { afterAll, beforeAll, describe } from 'vitest';
import { findQdrant, startQdrantServer, type QdrantServer } from './qdrant-server.js';

const START_LIMIT_MS = 60_000;

/** Where a test may find a server: as the environment says it. */
export interface QdrantPlaces {
  readonly QDRANT_URL?: string | undefined;
  readonly PATH?: string | undefined;
}

/**
 * Tests that need a server: the one at QDRANT_URL, or one that is started for them if there is a `qdrant` on PATH. Where
 * there is neither they are skipped, under a title that says so.
 *
 * @param tests is given where the server's address is to be had, once it runs
 */
export async function describeWithQdrant(
  title: string,
  { QDRANT_URL, PATH }: QdrantPlaces,
  tests: (url: () => string) => void,
): Promise<void> {
  const program = await findQdrant(PATH);
  if (QDRANT_URL === undefined && program === undefined) {
    describe.skip(`${title} (no Qdrant server: QDRANT_URL is not set, and there is no qdrant on PATH)`, () => {
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
