import { MAX_RUN_BATCH, type RunGateway, type RunRef, type RunState } from '@quarry/contracts';
import { Batcher } from '@quarry/batching';

/** Requests the states of runs on which a process works. One request contains the states of several runs. */
export interface RunWatch {
  /**
   * Returns the state of a run. Calls that arrive during a request to the gateway share the next request.
   *
   * @throws TryLater while the gateway is unavailable
   */
  readState(run: RunRef): Promise<RunState>;

  /**
   * Checks that a run is still wanted. Call it before a step that must not happen after a newer run of the datasource
   * has started.
   *
   * @throws RunNotWanted if the run is not wanted; TryLater while the gateway is unavailable
   */
  requireWantedRun(run: RunRef): Promise<void>;

  /**
   * Runs `work` if a run is wanted. The signal that `work` receives aborts when `signal` aborts, or within about a
   * second after the run has ended or its datasource was deleted.
   *
   * @returns `wanted` if `work` was completed; otherwise the state of the run that prevented or stopped `work`
   * @throws TryLater if the gateway is unavailable at the start; an error of `work`, unless it is RunNotWanted or the
   * run has ended
   */
  runWhileWanted(run: RunRef, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<RunState>;
}

export interface RunWatchLog {
  warn(fields: object, message: string): void;
}

/**
 * Interval in milliseconds at which the states of the runs in progress are requested. Work on a cancelled run stops
 * after about this time.
 */
const POLL_MS = 1_000;

interface FollowedRun {
  readonly run: RunRef;
  readonly ended: AbortController;
  state: RunState;
}

interface StateRequest {
  readonly run: RunRef;
  answer: RunState | undefined;
}

export function openRunWatch(gateway: Pick<RunGateway, 'readRunStates'>, log: RunWatchLog, pollMs = POLL_MS): RunWatch {
  const requests = new Batcher<StateRequest>({
    commit: async (batch) => {
      const states = await gateway.readRunStates(batch.map(({ run }) => toRunRef(run)));
      for (const [at, request] of batch.entries()) request.answer = states[at];
    },
    createAdmission: () => {
      let count = 0;
      return () => (count += 1) <= MAX_RUN_BATCH;
    },
    lingerMs: 0,
  });
  const getState = async (run: RunRef): Promise<RunState> => {
    const request: StateRequest = { run, answer: undefined };
    await requests.addWrite(request);
    if (request.answer === undefined)
      throw new Error(`expected the gateway to return the state of run ${run.runId}, found none`);
    return request.answer;
  };

  const followed = new Set<FollowedRun>();
  let timer: NodeJS.Timeout | undefined;
  const abortIfUnwanted = async (followedRun: FollowedRun): Promise<void> => {
    const found = await getState(followedRun.run);
    if (found === 'wanted') return;
    followedRun.state = found;
    followedRun.ended.abort();
  };
  const schedulePoll = (): NodeJS.Timeout => setTimeout(() => void pollStates(), pollMs).unref();
  const pollStates = async (): Promise<void> => {
    const results = await Promise.allSettled([...followed].map(abortIfUnwanted));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined)
      log.warn({ err: failure.reason as unknown }, 'the states of runs could not be read; the work continues');
    timer = followed.size === 0 ? undefined : schedulePoll();
  };

  return {
    readState: getState,
    requireWantedRun: async (run) => {
      const found = await getState(run);
      if (found !== 'wanted') throw new RunNotWanted(found);
    },
    runWhileWanted: async (run, signal, work) => {
      const found = await getState(run);
      if (found !== 'wanted') return found;
      const one: FollowedRun = { run, ended: new AbortController(), state: 'wanted' };
      followed.add(one);
      timer ??= schedulePoll();
      try {
        await work(AbortSignal.any([signal, one.ended.signal]));
      } catch (error) {
        if (error instanceof RunNotWanted) return error.state;
        if (!one.ended.signal.aborted) throw error;
      } finally {
        followed.delete(one);
      }
      return one.state;
    },
  };
}

/** Returns the two ids of a run without the other fields of the object. */
function toRunRef({ datasourceId, runId }: RunRef): RunRef {
  return { datasourceId, runId };
}

/**
 * Reports that a run has ended, or that its datasource was deleted. `runWhileWanted` catches it and returns its
 * `state`.
 */
export class RunNotWanted extends Error {
  readonly state: Exclude<RunState, 'wanted'>;

  constructor(state: Exclude<RunState, 'wanted'>) {
    super(`the run is ${state}`);
    this.name = 'RunNotWanted';
    this.state = state;
  }
}
