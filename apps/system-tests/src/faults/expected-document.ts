import { Violation } from './violation.js';

/** The random word that identifies the version of a document; undefined if the document does not exist. */
export type Version = string | undefined;

/** A request that changes a document. The change takes effect between the start of the request and its response. */
export interface Change {
  /** Records that the request was answered, and that the change has therefore taken effect. */
  acknowledge(): void;
}

interface RecordedChange {
  readonly version: Version;
  readonly isDeletion: boolean;
  readonly startedAt: number;
  acknowledgedAt: number;
}

/**
 * Tracks which versions of a document searches may find after the requests so far. Requests that overlap in time take
 * effect in any order. After a cancelled or failed run, searches may find an earlier version.
 */
export class ExpectedDocument {
  readonly #words = new Set<string>();
  #acceptable: ReadonlySet<Version> = new Set([undefined]);
  #changes: RecordedChange[] = [];
  #isDisturbed = false;
  #clock = 0;

  constructor(readonly name: string) {}

  /** Words that identify all versions of the document so far. */
  get words(): ReadonlySet<string> {
    return this.#words;
  }

  /**
   * Returns the words to search for when the version is verified: the words that searches may find, and the newest of
   * the other words.
   *
   * @param retired maximum number of returned words that searches must not find
   */
  listWordsToSearch(retired: number): readonly string[] {
    const acceptable = [...this.#listAcceptableVersions()].filter((version) => version !== undefined);
    const others = [...this.#words].filter((word) => !acceptable.includes(word));
    return [...acceptable, ...others.slice(-retired)];
  }

  /** Version that the last call of `verifyVersion`, at the end of the previous round, found. */
  get settledVersion(): Version {
    return [...this.#acceptable][0];
  }

  /** True if a deletion was answered, and no request that overlaps it or started later can restore the document. */
  get isDeleted(): boolean {
    const last = this.#listLastChanges();
    return last.length > 0 && last.every(({ isDeletion, acknowledgedAt }) => isDeletion && acknowledgedAt < Infinity);
  }

  /**
   * Records the start of a request that sets the version of the document. The version is undefined if the document was
   * removed from its source, such as a site.
   */
  beginChange(version: Version): Change {
    if (version !== undefined) this.#words.add(version);
    return this.#recordChange(version, false);
  }

  /** Records the start of a request that deletes the document or its datasource. */
  beginDeletion(): Change {
    return this.#recordChange(undefined, true);
  }

  /** Records that a run of this round may end before it has read the document, because it is cancelled or fails. */
  allowIncompleteSync(): void {
    this.#isDisturbed = true;
  }

  /**
   * Compares the words that searches found with the allowed versions, after all runs have ended. From then on, the
   * found version is the only allowed one.
   *
   * @throws Violation if the document is lost, duplicated or resurrected
   */
  verifyVersion(found: readonly string[]): void {
    const acceptable = this.#listAcceptableVersions();
    const own = found.filter((word) => this.#words.has(word));
    const expected = [...acceptable].map((version) => version ?? 'nothing').join(' or ');
    if (own.length > 1) {
      throw new Violation('duplicated', `${this.name}: expected ${expected} once, found ${own.join(', ')}`);
    }
    const [version] = own;
    if (!acceptable.has(version)) {
      const isLost = version === undefined || !acceptable.has(undefined);
      const found = version ?? 'nothing';
      throw new Violation(isLost ? 'lost' : 'resurrected', `${this.name}: expected ${expected}, found ${found}`);
    }
    this.#acceptable = new Set([version]);
    this.#changes = [];
    this.#isDisturbed = false;
  }

  #recordChange(version: Version, isDeletion: boolean): Change {
    const change: RecordedChange = { version, isDeletion, startedAt: (this.#clock += 1), acknowledgedAt: Infinity };
    this.#changes.push(change);
    return {
      acknowledge: () => {
        change.acknowledgedAt = this.#clock += 1;
      },
    };
  }

  #listAcceptableVersions(): ReadonlySet<Version> {
    if (this.#changes.length === 0) return this.#acceptable;
    const last = this.#listLastChanges().map(({ version }) => version);
    if (!this.#isDisturbed || this.isDeleted) return new Set(last);
    const deletions = this.#changes.filter(({ isDeletion }) => isDeletion);
    if (deletions.length === 0) return new Set([...this.#acceptable, ...this.#changes.map(({ version }) => version)]);
    const deletedAt = Math.max(...deletions.map(({ startedAt }) => startedAt));
    const later = this.#changes.filter(({ acknowledgedAt }) => acknowledgedAt > deletedAt);
    return new Set([undefined, ...later.map(({ version }) => version)]);
  }

  /**
   * Returns the changes that may have taken effect last. These are all changes except those that were answered before
   * another change started.
   */
  #listLastChanges(): readonly RecordedChange[] {
    return this.#changes.filter(
      ({ acknowledgedAt }) => !this.#changes.some(({ startedAt }) => startedAt > acknowledgedAt),
    );
  }
}
