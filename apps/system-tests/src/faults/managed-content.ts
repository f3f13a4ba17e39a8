import type { Random } from './random.js';
import type { Customer } from './customer.js';
import type { ExpectedDocument } from './expected-document.js';
import type { ExternalServers } from './external-servers.js';
import type { RetiredWords } from './retired-words.js';

/** The resources of a campaign. */
export interface CampaignContext {
  readonly customer: Customer;
  readonly external: ExternalServers;
  readonly datastoreId: string;
  readonly retired: RetiredWords;
}

/** Content that the customer stores in the datastore, changes and deletes during a campaign. */
export interface ManagedContent {
  readonly name: string;
  /** The documents that a search is expected to find. */
  readonly documents: readonly ExpectedDocument[];
  /** The ids of the datasources of this content, as far as the customer has received them. */
  readonly datasourceIds: readonly string[];
  /** Changes the external content that the next requests read. Called before a round, while no work is in progress. */
  prepareRound(random: Random): void;
  /** Sends one request, chosen at random, and the requests that depend on its response. */
  sendRandomRequest(random: Random): Promise<void>;
  /** Records that the external server of the content fails in this round. */
  allowDisturbance(): void;
  /** Returns whether the last run of the content may have ended with this error code. */
  acceptsOutcome(code: string): boolean;
}
