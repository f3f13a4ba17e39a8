import type { Table } from '@lancedb/lancedb';
import type { MaintenancePolicy } from './maintenance.js';
import type { RenewedConnection } from './renewed-connection.js';
import { hasTermIndex, openTable } from './tables.js';

/** Estimated number of versions of a table that are created between two optimizations. */
const VERSIONS_PER_OPTIMIZATION = 25;
/** Number of uses of a table between two checks whether the table has changed. */
const USES_PER_CHECK = 50;

/** Describes a table that is open for searches. */
interface SearchedTable {
  readonly table: Table;
  /** Version number that the table had when it was opened. */
  readonly version: number;
  uses: number;
}

/** Opens tables for searches, and keeps a limited number of tables open. */
export class SearchedTables {
  readonly #connection: RenewedConnection;
  readonly #policy: Pick<MaintenancePolicy, 'renewAfter' | 'searchedTables'>;
  readonly #tables = new Map<string, SearchedTable>();

  constructor(connection: RenewedConnection, policy: Pick<MaintenancePolicy, 'renewAfter' | 'searchedTables'>) {
    this.#connection = connection;
    this.#policy = policy;
  }

  /**
   * Returns the table with the given name. Returns undefined if the table does not exist, or has no term index and
   * therefore no rows.
   */
  async getTable(name: string): Promise<Table | undefined> {
    await this.#renewAfterChanges(name);
    const searched = this.#tables.get(name) ?? (await this.#openSearchedTable(name));
    if (searched === undefined) return undefined;
    searched.uses += 1;
    this.#tables.set(name, searched);
    return searched.table;
  }

  async closeTables(): Promise<void> {
    for (const { table } of this.#tables.values()) table.close();
    await this.#connection.close();
  }

  async #openSearchedTable(name: string): Promise<SearchedTable | undefined> {
    if (this.#tables.size >= this.#policy.searchedTables) this.#renewConnection();
    const table = await openTable(await this.#connection.getConnection(), name);
    // A table without a term index has no rows: its writer was killed before it wrote any.
    if (table === undefined || !(await hasTermIndex(table))) return undefined;
    return { table, version: await table.version(), uses: 0 };
  }

  /** Replaces the connection if a table has changed often since it was opened. */
  async #renewAfterChanges(name: string): Promise<void> {
    const searched = this.#tables.get(name);
    if (searched === undefined || searched.uses < USES_PER_CHECK) return;
    searched.uses = 0;
    const maxVersions = this.#policy.renewAfter * VERSIONS_PER_OPTIMIZATION;
    if ((await searched.table.version()) - searched.version >= maxVersions) this.#renewConnection();
  }

  /**
   * Replaces the connection, because its session keeps deleted files of every table open. Searches in progress
   * continue.
   */
  #renewConnection(): void {
    this.#connection.renewConnection();
    this.#tables.clear();
  }
}
