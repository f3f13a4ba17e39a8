import type { Random } from './random.js';
import type { Customer } from './customer.js';
import type { ExpectedDocument } from './expected-document.js';
import type { ExternalServers } from './external-servers.js';
import type { RetiredWords } from './retired-words.js';

/** The customer, the datastore and the external servers of a campaign, which all contents use. */
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
  /** Sends a randomly chosen request, and then the requests that depend on its response. */
  sendRandomRequest(random: Random): Promise<void>;
  /** Allows runs of the content to fail in this round. Called if the external server of the content fails. */
  allowFailedRuns(): void;
  /** Returns whether the last run of the content may have ended with this error code. */
  acceptsOutcome(code: string): boolean;
}
