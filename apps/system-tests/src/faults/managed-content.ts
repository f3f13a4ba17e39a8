import type { Random } from './random.js';
import type { Customer } from './customer.js';
import type { ExpectedDocument } from './expected-document.js';
import type { ExternalServers, ExternalService } from './external-servers.js';
import type { RetiredWords } from './retired-words.js';

/** The customer, the datastore and the external servers of a campaign, which all contents use. */
export interface CampaignContext {
  readonly customer: Customer;
  readonly external: ExternalServers;
  readonly datastoreId: string;
  readonly retired: RetiredWords;
}

/** Represents content, such as a file or a site, that the customer stores, changes and deletes during a campaign. */
export interface ManagedContent {
  readonly name: string;
  /** Documents of this content, with the versions that searches may find. */
  readonly documents: readonly ExpectedDocument[];
  /** Ids of the datasources of this content whose creation was answered. */
  readonly datasourceIds: readonly string[];
  /** Called before a round, while no run is in progress. Changes the pages or items that the runs of the round read. */
  prepareRound(random: Random): void;
  /**
   * Sends a random request, such as an upload or a deletion. After a deletion, verifies that searches do not find the
   * deleted documents.
   */
  sendRandomRequest(random: Random): Promise<void>;
  /** Records the external servers that fail in this round. Runs that read from a failing server may fail. */
  recordFailingServices(services: ReadonlySet<ExternalService>): void;
  /** Returns whether the last run of the content may have ended with this error code. */
  acceptsOutcome(code: string): boolean;
}
