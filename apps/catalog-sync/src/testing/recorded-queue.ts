import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { NewJob, Producer } from '@quarry/queue';
import { parse } from '@quarry/validation';

/** Records added jobs in memory. Like the real queues, it ignores a job whose id was already added. */
export class RecordedQueue<Jobs extends JobPayloads> implements Producer<Jobs> {
  readonly #contract: QueueContract<Jobs>;
  readonly #jobs = new Map<string, { readonly name: keyof Jobs; readonly payload: Jobs[keyof Jobs] }>();
  /** Called before each call of `add` or `addAll` adds jobs. A test can replace it by a function that throws. */
  onAdd: () => void = () => undefined;

  constructor(contract: QueueContract<Jobs>) {
    this.#contract = contract;
  }

  listPayloads<Name extends keyof Jobs>(name: Name): readonly Jobs[Name][] {
    const named = [...this.#jobs.values()].filter((job) => job.name === name);
    return named.map((job) => job.payload as Jobs[Name]); // added under this name
  }

  async add<Name extends keyof Jobs & string>(name: Name, payload: Jobs[Name]): Promise<string> {
    this.onAdd();
    return this.#recordJob(name, payload);
  }

  async addAll(jobs: readonly NewJob<Jobs>[]): Promise<readonly string[]> {
    this.onAdd();
    return jobs.map((job) => this.#recordJob(job.name, job.payload));
  }

  #recordJob<Name extends keyof Jobs & string>(name: Name, payload: Jobs[Name]): string {
    const contract = this.#contract.jobs[name];
    const parsed = parse(contract.payload, payload, 'refuse');
    const id = contract.buildId(parsed);
    if (!this.#jobs.has(id)) this.#jobs.set(id, { name, payload: parsed });
    return id;
  }
}
