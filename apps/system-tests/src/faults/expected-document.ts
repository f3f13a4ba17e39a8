import { Violation } from './violation.js';

/** What a search finds of a document: the word of its version, or nothing. */
export type Version = string | undefined;

/** A request that changes a document. It takes effect at some time between its start and its answer. */
export interface Change {
  /** Records that the request was answered. */
  acknowledge(): void;
}

interface Recorded {
  readonly version: Version;
  readonly isDeletion: boolean;
  readonly startedAt: number;
  acknowledgedAt: number;
}

/**
 * The versions in which a document may be found, by the requests that were answered. Requests that overlap take effect in either
 * order. A cancelled or failed synchronisation may leave the version before it.
 */
export class ExpectedDocument {
  readonly #words = new Set<string>();
  #acceptable: ReadonlySet<Version> = new Set([undefined]);
  #changes: Recorded[] = [];
  #isDisturbed = false;
  #clock = 0;

  constructor(readonly name: string) {}

  /** The words of all versions that it ever had. */
  get words(): ReadonlySet<string> {
    return this.#words;
  }

  /** Returns the words that a search may find now, and the latest that it may not. */
  wordsToSearch(retired: number): readonly string[] {
    const acceptable = [...this.#acceptableVersions()].filter((version) => version !== undefined);
    const others = [...this.#words].filter((word) => !acceptable.includes(word));
    return [...acceptable, ...others.slice(-retired)];
  }

  /** The version in which it was found when all was settled last. */
  get settled(): Version {
    return [...this.#acceptable][0];
  }

  /** Whether a deletion was answered, and nothing that overlaps it or follows it can bring the document back. */
  get isDeleted(): boolean {
    const last = this.#last();
    return last.length > 0 && last.every(({ isDeletion, acknowledgedAt }) => isDeletion && acknowledgedAt < Infinity);
  }

  /** Records the start of a request that gives the document a version; undefined: that removes it from its source. */
  begin(version: Version): Change {
    if (version !== undefined) this.#words.add(version);
    return this.#record(version, false);
  }

  /** Records the start of a request that deletes the document or what it belongs to. */
  beginDeletion(): Change {
    return this.#record(undefined, true);
  }

  /** Records that a synchronisation may end before it has read the document. */
  disturb(): void {
    this.#isDisturbed = true;
  }

  /** Compares what was found with what may be found once all is settled, and continues from what was found. */
  settle(found: readonly string[]): void {
    const acceptable = this.#acceptableVersions();
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

  #record(version: Version, isDeletion: boolean): Change {
    const change: Recorded = { version, isDeletion, startedAt: (this.#clock += 1), acknowledgedAt: Infinity };
    this.#changes.push(change);
    return {
      acknowledge: () => {
        change.acknowledgedAt = this.#clock += 1;
      },
    };
  }

  #acceptableVersions(): ReadonlySet<Version> {
    if (this.#changes.length === 0) return this.#acceptable;
    const last = this.#last().map(({ version }) => version);
    if (!this.#isDisturbed || this.isDeleted) return new Set(last);
    const deletions = this.#changes.filter(({ isDeletion }) => isDeletion);
    if (deletions.length === 0) return new Set([...this.#acceptable, ...this.#changes.map(({ version }) => version)]);
    const deletedAt = Math.max(...deletions.map(({ startedAt }) => startedAt));
    const later = this.#changes.filter(({ acknowledgedAt }) => acknowledgedAt > deletedAt);
    return new Set([undefined, ...later.map(({ version }) => version)]);
  }

  /** Returns the changes after whose answer no other change was requested. */
  #last(): readonly Recorded[] {
    return this.#changes.filter(
      ({ acknowledgedAt }) => !this.#changes.some(({ startedAt }) => startedAt > acknowledgedAt),
    );
  }
}
