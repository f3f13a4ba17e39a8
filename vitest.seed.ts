import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    seed: number;
  }
}

/** Repeats what a property test has printed when it failed: `QUARRY_TEST_SEED=<seed> npx vitest run …`. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('seed') });
