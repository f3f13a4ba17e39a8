import type { Random } from './random.js';
import type { Customer } from './customer.js';
import type { ExpectedDocument } from './expected-document.js';
import type { OutsideWorld } from './outside-world.js';
import type { RetiredWords } from './retired-words.js';

/** What the customer works with in one campaign. */
export interface Workplace {
  readonly customer: Customer;
  readonly outside: OutsideWorld;
  readonly datastoreId: string;
  readonly retired: RetiredWords;
}

/** Something that the customer keeps in the datastore, and changes. */
export interface Subject {
  readonly name: string;
  /** What a search finds of it. */
  readonly documents: readonly ExpectedDocument[];
  /** Its datasources, as far as the customer has received their ids. */
  readonly datasourceIds: readonly string[];
  /** Changes the content outside Quarry that is read later. Nothing is under way then. */
  prepare(random: Random): void;
  /** Sends one request, or one and what it has to lead to at once. */
  act(random: Random): Promise<void>;
  /** Records that what it is read from did not work for a while. */
  disturb(): void;
  /** Returns whether its last run may have ended with this error code. */
  mayEndWith(code: string): boolean;
}
