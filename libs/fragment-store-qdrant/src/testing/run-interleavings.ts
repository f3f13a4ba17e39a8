import type { FragmentStore } from '@quarry/fragment-store';
import {
  type Attempt,
  createSampleVersion,
  SAMPLE_COLLECTION,
  createSampleDocument,
} from '@quarry/fragment-store/testing';
import fc from 'fast-check';
import { openQdrantFragmentStore } from '../index.js';
import type { CollectionLayout } from '../options.js';
import { enumeratePaths, samplePaths } from './enumerate-paths.js';
import type { StepProxy } from './step-proxy.js';

/** Grace time that exceeds the duration of every test, so that no replaced fragments are deleted during a test. */
const NEVER_MS = 3_600_000;
const MAX_ACTORS = 3;

/**
 * Number of orders of requests that are sampled for three operations. Three operations have more than a thousand
 * orders, from which the seed selects the sample.
 */
const SAMPLED_ORDERS = 60;
/** Seed of the sample of orders if `QUARRY_TEST_SEED` is not set. */
const DEFAULT_SEED = 8;

/**
 * Opens one store per actor, whose requests the proxy can delay. Each store has already prepared the collection, so
 * that a tested operation sends only its own requests.
 */
export async function openStoresAsActors(
  proxy: StepProxy,
  layout: Partial<CollectionLayout>,
): Promise<FragmentStore[]> {
  const actors: FragmentStore[] = [];
  for (let actor = 0; actor < MAX_ACTORS; actor += 1) {
    const store = await openQdrantFragmentStore({
      url: proxy.getActorUrl(actor),
      layout,
      timing: { graceMs: NEVER_MS },
    });
    await store.replaceDocument(SAMPLE_COLLECTION, createSampleVersion(createSampleDocument(), ['x']));
    actors.push(store);
  }
  return actors;
}

/** Runs every interleaving of the requests of two operations, or a sample of the interleavings of three operations. */
export async function runInterleavings(
  proxy: StepProxy,
  actors: readonly FragmentStore[],
  attempt: () => Promise<Attempt>,
): Promise<void> {
  const { operations: sample } = await attempt();
  const seed = fc.readConfigureGlobal().seed ?? DEFAULT_SEED;
  const paths = sample.length > 2 ? samplePaths(seed, SAMPLED_ORDERS) : enumeratePaths();
  for (const choose of paths) {
    const { operations, check } = await attempt();
    const tasks = operations.map((operation, at) => async (): Promise<void> => {
      const store = actors[at];
      if (store !== undefined) await operation(store);
    });
    try {
      await proxy.runTasksInSteps(tasks, choose);
      await check();
    } catch (error) {
      throw new Error(
        `the check failed for an interleaving of the requests; set QUARRY_TEST_SEED=${seed} to repeat it`,
        { cause: error },
      );
    }
  }
}
