import { TryLater, type RunRef } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { CrashableProcess } from './crashable-process.js';
import type { InMemoryRunGateway } from './in-memory-run-gateway.js';

/** Describes a job of one run, and the state that all processes of the tested worker share. */
export interface RunWorkerUnderTest {
  readonly gateway: InMemoryRunGateway;
  readonly run: RunRef;
  /**
   * Starts the job in a simulated process. The worker must call its ports through `process.wrapPort`.
   *
   * @param starts number of starts of the job, including this one
   * @throws the errors of the job's handler
   */
  startJob(process: CrashableProcess, starts: number): Promise<void>;
  /** Deletes the datasource and its stored data, as a removal job does. */
  deleteDatasource(): Promise<void>;
  /** Returns everything that the run has stored and reported, without times and event numbers. */
  readOutcome(): Promise<unknown>;
  /** Returns everything that is stored for the datasource: blobs, fragments and queued documents. */
  listStoredContent(): Promise<readonly unknown[]>;
}

/**
 * Asserts that the jobs of a worker follow the protocol between workers and the gateway.
 *
 * @param open creates a run with a job that was not started yet
 */
export function describeRunWorker(name: string, open: () => Promise<RunWorkerUnderTest>): void {
  describe(`the run protocol of ${name}`, () => {
    const runUndisturbed = async (): Promise<unknown> => {
      const test = await open();
      await test.startJob(new CrashableProcess(), 1);
      return test.readOutcome();
    };

    /**
     * Runs one new job for each call that the job makes. `disturb` runs before the first call of the first job, before
     * the second call of the second job, and so on.
     */
    const runWithDisturbances = async (
      disturb: (test: RunWorkerUnderTest) => Promise<void>,
      check: (
        test: RunWorkerUnderTest,
        started: Promise<void>,
        call: number,
        process: CrashableProcess,
      ) => Promise<void>,
      killedAfter = Infinity,
    ): Promise<void> => {
      for (let call = 1; ; call += 1) {
        const test = await open();
        const process = new CrashableProcess({
          killedAfter,
          beforeCall: async (at) => {
            if (at === call) await disturb(test);
          },
        });
        await check(test, test.startJob(process, 1), call, process);
        if (process.callCount < call) {
          expect(call).toBeGreaterThan(2);
          return;
        }
      }
    };

    it('a run has the same outcome if its job is delivered twice, one after the other', async () => {
      const test = await open();
      await test.startJob(new CrashableProcess(), 1);
      await test.startJob(new CrashableProcess(), 2);
      expect(await test.readOutcome()).toEqual(await runUndisturbed());
    });

    it('a run has the same outcome if two processes run its job at the same time', async () => {
      const test = await open();
      await Promise.all([1, 2].map((starts) => test.startJob(new CrashableProcess(), starts)));
      expect(await test.readOutcome()).toEqual(await runUndisturbed());
    });

    it('a run has the same outcome if the process of its job is killed at any point and the job is started again', async () => {
      const expected = await runUndisturbed();
      for (let killedAfter = 1; ; killedAfter += 1) {
        const test = await open();
        const first = new CrashableProcess({ killedAfter });
        await Promise.race([test.startJob(first, 1), first.death]);
        if (!first.isDead) break;
        await test.startJob(new CrashableProcess(), 2);
        expect(await test.readOutcome(), `killed after ${killedAfter} writes`).toEqual(expected);
      }
    });

    it('a job ends without a failure, at whatever point its run is cancelled', async () => {
      await runWithDisturbances(
        async ({ gateway, run }) => gateway.endRun(run),
        async (_test, started) => {
          await started;
        },
      );
    });

    it('a job leaves no stored data, at whatever point its datasource is deleted', async () => {
      await runWithDisturbances(
        async (test) => test.deleteDatasource(),
        async (test, started, call) => {
          await started;
          if ((await test.gateway.gateway.readRunStates([test.run]))[0] !== 'removed') return;
          expect(await test.listStoredContent(), `deleted at call ${call}`).toEqual([]);
        },
      );
    });

    it('a job leaves no stored data if its datasource is deleted, its process is killed later and the job is started again', async () => {
      let isKilled = true;
      for (let killedAfter = 1; isKilled; killedAfter += 1) {
        isKilled = false;
        await runWithDisturbances(
          async (test) => test.deleteDatasource(),
          async (test, started, call, first) => {
            await Promise.race([started, first.death]);
            if (!first.isDead) return;
            isKilled = true;
            if (first.callCount < call) return;
            await test.startJob(new CrashableProcess(), 2);
            expect(
              await test.listStoredContent(),
              `deleted at call ${call}, killed after ${killedAfter} writes`,
            ).toEqual([]);
          },
          killedAfter,
        );
      }
    });

    it('a run has the same outcome if the gateway becomes unavailable at any point of its job and the job is retried', async () => {
      const expected = await runUndisturbed();
      await runWithDisturbances(
        async ({ gateway }) => {
          gateway.isUnavailable = true;
        },
        async (test, started, call) => {
          const error: unknown = await started.then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          if (error !== undefined) expect(error, `unavailable at call ${call}`).toBeInstanceOf(TryLater);
          test.gateway.isUnavailable = false;
          await test.startJob(new CrashableProcess(), 2);
          expect(await test.readOutcome(), `unavailable at call ${call}`).toEqual(expected);
        },
      );
    });
  });
}
