import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { UserWorkspaceConfig } from 'vitest/config';

/** Prepares what all tests of a project share, such as a server. */
const SET_UP = 'src/testing/global-setup.ts';

/** Repeats the property tests of a run that failed with this seed. */
const SEED = process.env.QUARRY_TEST_SEED;
const SEED_SET_UP = SEED === undefined ? [] : [resolve(import.meta.dirname, 'vitest.seed.ts')];

/** Reads workspace packages from their sources, whether they are built or not, in tests and in the global setup. */
const FROM_SOURCE = { conditions: ['@quarry/source'] };

/**
 * Builds the test settings of one project. Its test files share a process, and with it the modules that were loaded:
 * no module keeps state.
 */
export const buildTests = (folder: string): UserWorkspaceConfig => ({
  root: folder,
  resolve: FROM_SOURCE,
  ssr: { resolve: FROM_SOURCE },
  environments: { __vitest__: { resolve: FROM_SOURCE } },
  test: {
    name: relative(import.meta.dirname, folder),
    include: ['*/**/*.spec.ts'],
    globalSetup: [resolve(folder, SET_UP)].filter((file) => existsSync(file)),
    provide: { seed: Number(SEED) },
    setupFiles: SEED_SET_UP,
    isolate: false,
    passWithNoTests: true,
    // A poll ends as soon as it passes, so a long timeout costs time only if a test fails. Slow machines need it.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

/** One project's tests: `vitest run --config ../../vitest.config.ts --root .` in its folder. */
export default buildTests(process.cwd());
