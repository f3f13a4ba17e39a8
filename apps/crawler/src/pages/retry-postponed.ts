import type { PageProblem } from './page.js';

/** Reports that a request failed and must be repeated after a delay. The job returns to its queue meanwhile. */
export class RetryPostponed extends Error {
  readonly problem: PageProblem;
  readonly delayMs: number;

  constructor(problem: PageProblem, delayMs: number) {
    super(problem.message);
    this.name = 'RetryPostponed';
    this.problem = problem;
    this.delayMs = delayMs;
  }
}
