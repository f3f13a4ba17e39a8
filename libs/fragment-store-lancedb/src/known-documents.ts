import type { Table } from '@lancedb/lancedb';
import type { StoredDocument } from '@quarry/fragment-store';
import { storedDocuments } from './stored-documents.js';

/** More documents than this are not remembered: the table itself is asked then, until it is tidied up. */
const MOST_REMEMBERED = 50_000;

interface Written {
  /** Undefined where a condition changed its rows: what is stored now, only the table can tell. */
  readonly document: StoredDocument | undefined;
  /** The round of tidying up before which it was written. */
  readonly round: number;
}

/**
 * What is stored of documents. Rows that no index covers yet are looked for file by file, in more files with every commit. So the
 * table is asked as it was when it was last tidied up, and what its one writer has written since then is remembered.
 */
export class KnownDocuments {
  readonly #table: Table;
  readonly #snapshot: () => Promise<Table>;
  /** Undefined: the table is asked as it is. */
  #tidied: Table | undefined;
  readonly #written = new Map<string, Written>();
  #round = 0;
  /** Tells a snapshot that is being taken that it comes too late. */
  #timesForgotten = 0;

  /** @param snapshot opens the table once more, to stay at the version it has then */
  constructor(table: Table, snapshot: () => Promise<Table>) {
    this.#table = table;
    this.#snapshot = snapshot;
  }

  /** @returns what is stored, by document id; of the others nothing is */
  async find(ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
    const tidied = this.#tidied;
    if (tidied === undefined) return storedIn(this.#table, ids);
    const remembered = new Map<string, StoredDocument>();
    const before: string[] = [];
    const unclear: string[] = [];
    for (const id of ids) {
      const written = this.#written.get(id);
      if (written === undefined) before.push(id);
      else if (written.document === undefined) unclear.push(id);
      else remembered.set(id, written.document);
    }
    const found = await Promise.all([this.#storedBefore(tidied, before), storedIn(this.#table, unclear)]);
    return new Map([...found.flatMap((map) => [...map]), ...remembered]);
  }

  /** Said when it is committed. @param document undefined where a condition changed its rows */
  note(id: string, document: StoredDocument | undefined): void {
    this.#written.set(id, { document, round: this.#round });
    if (this.#written.size > MOST_REMEMBERED) this.forget();
  }

  /** Rows of any documents may have been changed. */
  forget(): void {
    this.#timesForgotten += 1;
    this.#tidied = undefined;
    this.#written.clear();
  }

  /** @param tidyUp makes the table what is asked from then on; documents may be written meanwhile */
  async renew(tidyUp: () => Promise<void>): Promise<void> {
    const timesForgotten = this.#timesForgotten;
    this.#round += 1;
    const round = this.#round;
    await tidyUp();
    const tidied = await this.#snapshot();
    if (timesForgotten !== this.#timesForgotten) return;
    this.#tidied = tidied;
    for (const [id, written] of this.#written) if (written.round < round) this.#written.delete(id);
  }

  /** An old version of the table is gone some time after the next tidying up. */
  async #storedBefore(tidied: Table, ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
    try {
      return await storedIn(tidied, ids);
    } catch {
      this.forget();
      return storedIn(this.#table, ids);
    }
  }
}

function storedIn(table: Table, ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
  return ids.length === 0 ? Promise.resolve(new Map()) : storedDocuments(table, ids);
}
