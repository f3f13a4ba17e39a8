import type { Random } from './random.js';
import type { Customer } from './customer.js';
import type { ExpectedDocument } from './expected-document.js';
import type { OutsideWorld } from './outside-world.js';
import type { RetiredWords } from './retired-words.js';

/** Describes the resources that the customer uses in one campaign. */
export interface Workplace {
  readonly customer: Customer;
  readonly outside: OutsideWorld;
  readonly datastoreId: string;
  readonly retired: RetiredWords;
}

/** Content that the customer stores and changes. */
export interface Subject {
  readonly name: string;
  /** The documents that a search is expected to find. */
  readonly documents: readonly ExpectedDocument[];
  /** The datasources of the content, as far as the customer has received their ids. */
  readonly datasourceIds: readonly string[];
  /** Changes external content that is read later. It is called while no work is in progress. */
  prepareRound(random: Random): void;
  /** Sends one request, with its direct follow-up requests. */
  sendRandomRequest(random: Random): Promise<void>;
  /** Records that the source failed for some time. */
  allowDisturbance(): void;
  /** Returns whether the last run of the content may have ended with this error code. */
  acceptsOutcome(code: string): boolean;
}
