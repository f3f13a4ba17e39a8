import { setTimeout as pause } from 'node:timers/promises';
import { Conversation, verifyCountedQueries } from './agent-conversation.js';
import { Customer } from './customer.js';
import { listExternalFaults, type Fault, type FragileStack } from './faults.js';
import { EMBEDDING, startExternalServers, type ExternalServers } from './external-servers.js';
import { Random } from './random.js';
import { RetiredWords } from './retired-words.js';
import { createManagedContents } from './create-managed-contents.js';
import type { ManagedContent, CampaignContext } from './managed-content.js';
import { verifyDatastoreAfterRound } from './verify-datastore-after-round.js';
import type { Variables } from '../quarry/stack.js';
import { verifyDatastoreDeletion } from './verify-datastore-deletion.js';

export interface CampaignSettings {
  readonly seed: number;
  /** Total number of faults of the campaign. */
  readonly faults: number;
  /** Maximum number of faults in a round. After each round, all guarantees are verified. */
  readonly faultsPerRound: number;
  /** Starts Quarry with these environment variables, which contain the addresses of the external servers. */
  readonly start: (variables: Variables) => Promise<FragileStack>;
  /** Called with the report of each round in which no guarantee was violated. */
  readonly onRound?: (round: RoundReport) => void;
}

export interface RoundReport {
  /** Number of the round, starting at 1. */
  readonly round: number;
  /** Number of faults in this round and all earlier rounds. */
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

/** Settings of Quarry during a campaign. Short watchdog intervals shorten the rounds. */
const VARIABLES = {
  QUARRY_RATE_LIMIT: '0',
  QUARRY_READING_PROCESSES: '2',
  QUARRY_RUN_LOST_AFTER_MINUTES: '1',
  QUARRY_WATCH_SECONDS: '5',
};
const MAX_GAP_MS = 400;
const MAX_FAULT_DELAY_MS = 2_500;

/**
 * Injects faults while a simulated customer sends requests, and verifies the guarantees of Quarry after each round.
 *
 * @throws Error if a guarantee is violated, with the violation, the seed, the round, its faults, and the end of
 *   Quarry's output
 */
export async function runFaultCampaign(settings: CampaignSettings): Promise<CampaignReport> {
  const external = await startExternalServers();
  const stack = await settings.start({ ...external.variables, ...VARIABLES });
  try {
    const report = await new Campaign(settings, external, stack).runRounds();
    await stack.stop();
    return report;
  } catch (error) {
    await stack.stop().catch(() => undefined);
    throw error;
  } finally {
    await external.stop();
  }
}

class Campaign {
  readonly #random: Random;
  readonly #injected: Record<string, number> = {};
  #requests = 0;
  #count = 0;

  constructor(
    private readonly settings: CampaignSettings,
    private readonly external: ExternalServers,
    private readonly stack: FragileStack,
  ) {
    this.#random = new Random(settings.seed);
  }

  async runRounds(): Promise<CampaignReport> {
    const context = await this.#createContext();
    const contents = createManagedContents(context);
    const conversation = await this.#openConversation(context);
    let round = 0;
    while (this.#count < this.settings.faults) {
      round += 1;
      const faults = this.#planFaults();
      await this.#runRound(context, contents, conversation, faults).catch((error: unknown) => {
        throw this.#explainFailure(error, round, faults);
      });
      this.#count += faults.length;
      for (const { name } of faults) this.#injected[name] = (this.#injected[name] ?? 0) + 1;
      const injected = faults.map(({ name }) => name);
      this.settings.onRound?.({ round, faults: this.#count, requests: this.#requests, injected });
    }
    await verifyDatastoreDeletion(context, this.stack);
    const { unavailable } = this.stack;
    return { faults: this.#count, rounds: round, injected: this.#injected, unavailable };
  }

  async #createContext(): Promise<CampaignContext> {
    const customer = new Customer(this.stack);
    const { id: datastoreId } = await customer.sendRequest('create the datastore', async ({ quarry }) =>
      quarry.createDatastore({ name: 'Under faults', embedding: EMBEDDING }),
    );
    return { customer, external: this.external, datastoreId, retired: new RetiredWords() };
  }

  async #openConversation(context: CampaignContext): Promise<Conversation> {
    const { id } = await context.customer.sendRequest('create the agent', async ({ quarry }) =>
      quarry.createAgent({ name: 'Clerk', datastoreIds: [context.datastoreId] }),
    );
    return new Conversation(context, id);
  }

  /**
   * Chooses the faults of a round at random: at most `faultsPerRound`, and no more than the campaign still has to
   * inject.
   */
  #planFaults(): readonly Fault[] {
    const possible = [...this.stack.faults, ...listExternalFaults(this.external)];
    const left = this.settings.faults - this.#count;
    const count = Math.min(left, this.#random.pickInteger(1, this.settings.faultsPerRound));
    return Array.from({ length: count }, () => this.#random.chooseValue(possible));
  }

  async #runRound(
    context: CampaignContext,
    contents: readonly ManagedContent[],
    conversation: Conversation,
    faults: readonly Fault[],
  ): Promise<void> {
    for (const content of contents) content.prepareRound(this.#random);
    const failing = new Set(faults.flatMap(({ service }) => service ?? []));
    for (const content of contents) content.recordFailingServices(failing);
    const work = Array.from({ length: this.#random.pickInteger(4, 8) }, async () =>
      this.#sendRandomRequests(this.#random.chooseValue(contents), this.#random.forkSequence()),
    );
    const documents = contents.flatMap((content) => content.documents);
    const about = this.#random.chooseValue(documents).settledVersion ?? 'nothing';
    const done = await Promise.allSettled([
      ...work,
      conversation.askQuestion(this.#random.forkSequence(), about),
      ...[...Map.groupBy(faults, ({ target }) => target).values()].map(async (some) =>
        injectFaultsSequentially(some, this.#random.forkSequence()),
      ),
    ]);
    for (const outcome of done) if (outcome.status === 'rejected') throw outcome.reason;
    await this.stack.verifyProcesses();
    await verifyDatastoreAfterRound(context, contents);
    await conversation.verifyMessages();
    await verifyCountedQueries(context.customer);
  }

  async #sendRandomRequests(content: ManagedContent, random: Random): Promise<void> {
    for (let left = random.pickInteger(1, 3); left > 0; left -= 1) {
      await pause(random.pickInteger(0, MAX_GAP_MS));
      this.#requests += 1;
      await content.sendRandomRequest(random);
    }
  }

  #explainFailure(error: unknown, round: number, faults: readonly Fault[]): Error {
    const injected = faults.map(({ name }) => name).join(', ');
    const place = `seed ${this.settings.seed}, round ${round} after ${this.#count} faults on ${this.stack.title}: ${injected}`;
    return new Error(`${String(error)}\n${place}\n${this.stack.output()}`, { cause: error });
  }
}

async function injectFaultsSequentially(faults: readonly Fault[], random: Random): Promise<void> {
  for (const fault of faults) {
    await pause(random.pickInteger(0, MAX_FAULT_DELAY_MS));
    await fault.inject(random);
  }
}
