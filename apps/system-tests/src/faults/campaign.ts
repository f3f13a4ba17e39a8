import { setTimeout as pause } from 'node:timers/promises';
import { Conversation, verifyUsage } from './agent-conversation.js';
import { Customer } from './customer.js';
import { listOutsideFaults, type Fault, type FragileStack } from './faults.js';
import { EMBEDDING, startOutsideWorld, type OutsideWorld } from './outside-world.js';
import { Random } from './random.js';
import { RetiredWords } from './retired-words.js';
import { makeSubjects } from './make-subjects.js';
import type { Subject, Workplace } from './subjects.js';
import { settleRound } from './settle-round.js';
import type { Variables } from '../quarry/stack.js';
import { emptyDatastore } from './empty-datastore.js';

export interface CampaignSettings {
  readonly seed: number;
  /** The total number of faults. */
  readonly faults: number;
  /** The maximum number of faults before everything is verified. */
  readonly faultsPerRound: number;
  /** Starts the stack; the variables contain the addresses of external servers. */
  readonly start: (variables: Variables) => Promise<FragileStack>;
  /** Receives the faults of each round that passed. */
  readonly onRound?: (round: RoundReport) => void;
}

export interface RoundReport {
  /** The number of the round, starting at 1. */
  readonly round: number;
  /** The number of faults in this round and all earlier ones. */
  readonly faults: number;
  readonly requests: number;
  readonly injected: readonly string[];
}

export interface CampaignReport {
  readonly faults: number;
  readonly rounds: number;
  readonly injected: Readonly<Record<string, number>>;
  readonly unavailable: readonly string[];
}

/** Short watchdog intervals, so that a campaign does not spend its time waiting for them. */
const VARIABLES = {
  QUARRY_RATE_LIMIT: '0',
  QUARRY_READING_PROCESSES: '2',
  QUARRY_RUN_LOST_AFTER_MINUTES: '1',
  QUARRY_WATCH_SECONDS: '5',
};
const MAX_GAP_MS = 400;
const MAX_FAULT_DELAY_MS = 2_500;

/**
 * Injects faults while a customer works, and verifies the guarantees of Quarry after each round.
 *
 * @throws Violation with the round, its faults, and the end of Quarry's output
 */
export async function runCampaign(settings: CampaignSettings): Promise<CampaignReport> {
  const outside = await startOutsideWorld();
  const stack = await settings.start({ ...outside.variables, ...VARIABLES });
  try {
    const report = await new Campaign(settings, outside, stack).runRounds();
    await stack.stop();
    return report;
  } catch (error) {
    await stack.stop().catch(() => undefined);
    throw error;
  } finally {
    await outside.stop();
  }
}

class Campaign {
  readonly #random: Random;
  readonly #injected: Record<string, number> = {};
  #requests = 0;
  #count = 0;

  constructor(
    private readonly settings: CampaignSettings,
    private readonly outside: OutsideWorld,
    private readonly stack: FragileStack,
  ) {
    this.#random = new Random(settings.seed);
  }

  async runRounds(): Promise<CampaignReport> {
    const workplace = await this.#openWorkplace();
    const subjects = makeSubjects(workplace);
    const conversation = await this.#openConversation(workplace);
    let round = 0;
    while (this.#count < this.settings.faults) {
      round += 1;
      const faults = this.#planFaults();
      await this.#runRound(workplace, subjects, conversation, faults).catch((error: unknown) => {
        throw this.#explainFailure(error, round, faults);
      });
      this.#count += faults.length;
      for (const { name } of faults) this.#injected[name] = (this.#injected[name] ?? 0) + 1;
      const injected = faults.map(({ name }) => name);
      this.settings.onRound?.({ round, faults: this.#count, requests: this.#requests, injected });
    }
    await emptyDatastore(workplace, this.stack);
    const { unavailable } = this.stack;
    return { faults: this.#count, rounds: round, injected: this.#injected, unavailable };
  }

  async #openWorkplace(): Promise<Workplace> {
    const customer = new Customer(this.stack);
    const { id: datastoreId } = await customer.sendRequest('create the datastore', async ({ quarry }) =>
      quarry.createDatastore({ name: 'Under faults', embedding: EMBEDDING }),
    );
    return { customer, outside: this.outside, datastoreId, retired: new RetiredWords() };
  }

  async #openConversation(workplace: Workplace): Promise<Conversation> {
    const { id } = await workplace.customer.sendRequest('create the agent', async ({ quarry }) =>
      quarry.createAgent({ name: 'Clerk', datastoreIds: [workplace.datastoreId] }),
    );
    return new Conversation(workplace, id);
  }

  /** Chooses the faults of a round. */
  #planFaults(): readonly Fault[] {
    const possible = [...this.stack.faults, ...listOutsideFaults(this.outside)];
    const left = this.settings.faults - this.#count;
    const count = Math.min(left, this.#random.pickInteger(1, this.settings.faultsPerRound));
    return Array.from({ length: count }, () => this.#random.chooseValue(possible));
  }

  async #runRound(
    workplace: Workplace,
    subjects: readonly Subject[],
    conversation: Conversation,
    faults: readonly Fault[],
  ): Promise<void> {
    for (const subject of subjects) subject.prepareRound(this.#random);
    if (faults.some(({ service }) => service === 'site' || service === 'shop')) {
      for (const subject of subjects) subject.allowDisturbance();
    }
    const work = Array.from({ length: this.#random.pickInteger(4, 8) }, async () =>
      this.#actOn(this.#random.chooseValue(subjects), this.#random.forkSequence()),
    );
    const documents = subjects.flatMap((subject) => subject.documents);
    const about = this.#random.chooseValue(documents).settled ?? 'nothing';
    const done = await Promise.allSettled([
      ...work,
      conversation.askQuestion(this.#random.forkSequence(), about),
      ...[...Map.groupBy(faults, ({ target }) => target).values()].map(async (some) =>
        injectSequentially(some, this.#random.forkSequence()),
      ),
    ]);
    for (const outcome of done) if (outcome.status === 'rejected') throw outcome.reason;
    await this.stack.verifyProcesses();
    await settleRound(workplace, subjects);
    await conversation.verifyMessages();
    await verifyUsage(workplace.customer);
  }

  async #actOn(subject: Subject, random: Random): Promise<void> {
    for (let left = random.pickInteger(1, 3); left > 0; left -= 1) {
      await pause(random.pickInteger(0, MAX_GAP_MS));
      this.#requests += 1;
      await subject.sendRandomRequest(random);
    }
  }

  #explainFailure(error: unknown, round: number, faults: readonly Fault[]): Error {
    const injected = faults.map(({ name }) => name).join(', ');
    const place = `seed ${this.settings.seed}, round ${round} after ${this.#count} faults on ${this.stack.title}: ${injected}`;
    return new Error(`${String(error)}\n${place}\n${this.stack.output()}`, { cause: error });
  }
}

async function injectSequentially(faults: readonly Fault[], random: Random): Promise<void> {
  for (const fault of faults) {
    await pause(random.pickInteger(0, MAX_FAULT_DELAY_MS));
    await fault.inject(random);
  }
}
