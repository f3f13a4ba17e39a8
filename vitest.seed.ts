import fc from 'fast-check';

/** Repeats what a property test has printed when it failed: `QUARRY_TEST_SEED=<seed> npx vitest run …`. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.QUARRY_TEST_SEED) });
