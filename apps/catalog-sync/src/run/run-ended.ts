import type { RunState } from '@quarry/contracts';

/** The run has ended, or its datasource was deleted, while a process was working on it. */
export class RunEnded extends Error {
  readonly state: RunState;

  constructor(state: RunState) {
    super(`the run is ${state}`);
    this.name = 'RunEnded';
    this.state = state;
  }
}
