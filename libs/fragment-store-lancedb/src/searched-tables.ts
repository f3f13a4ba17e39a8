import type { Table } from '@lancedb/lancedb';
import type { MaintenancePolicy } from './maintenance.js';
import type { RenewedConnection } from './renewed-connection.js';
import { openTable } from './tables.js';

/** Estimated number of versions of a table that are created between two optimizations. */
const VERSIONS_PER_OPTIMIZATION = 25;
/** Number of uses of a table after which its version is checked. */
const USES_PER_CHECK = 50;

/** Describes a table that is searched. */
interface SearchedTable {
  readonly table: Table;
  /** The version of the table when it was opened. */
  readonly version: number;
  uses: number;
}

/** Opens tables for searches, and keeps them open. */
export class SearchedTables {
  readonly #connection: RenewedConnection;
  readonly #renewAfter: number;
  readonly #tables = new Map<string, SearchedTable>();

  constructor(connection: RenewedConnection, { renewAfter }: Pick<MaintenancePolicy, 'renewAfter'>) {
    this.#connection = connection;
    this.#renewAfter = renewAfter;
  }

  /** Returns the table of this name. Returns undefined if it does not exist. */
  async getTable(name: string): Promise<Table | undefined> {
    await this.#renewConnection(name);
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
    const table = await openTable(await this.#connection.getConnection(), name);
    return table === undefined ? undefined : { table, version: await table.version(), uses: 0 };
  }

  /** Replaces the connection when a table has changed often since it was opened. Searches in progress continue. */
  async #renewConnection(name: string): Promise<void> {
    const searched = this.#tables.get(name);
    if (searched === undefined || searched.uses < USES_PER_CHECK) return;
    searched.uses = 0;
    const maxVersions = this.#renewAfter * VERSIONS_PER_OPTIMIZATION;
    if ((await searched.table.version()) - searched.version < maxVersions) return;
    this.#connection.renewConnection();
    this.#tables.clear();
  }
}
