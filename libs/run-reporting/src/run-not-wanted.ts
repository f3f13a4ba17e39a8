import type { RunState } from '@quarry/contracts';

/** Stops the work on a run that has ended, or whose datasource was deleted. `RunWatch.follow` catches it. */
export class RunNotWanted extends Error {
  readonly state: Exclude<RunState, 'wanted'>;

  constructor(state: Exclude<RunState, 'wanted'>) {
    super(`the run is ${state}`);
    this.name = 'RunNotWanted';
    this.state = state;
  }
}
