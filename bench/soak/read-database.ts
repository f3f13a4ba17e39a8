import { openDatabase } from '@quarry/gateway';
import { listProcessTree, readProcessMemory } from '../start/read-memory.js';
import { readParentPid } from '../quarry/tree-cpu-seconds.js';

const MIB = 2 ** 20;
const LARGEST_TABLES = 6;

export interface DatabaseResources {
  /** Size of the database with its indexes, in MiB. */
  readonly databaseSize: number;
  /** Number of dead row versions of all tables that vacuum has not removed yet. */
  readonly deadRows: number;
  /** Memory of all processes of PostgreSQL in MiB, as proportional set size. */
  readonly postgresMemory: number;
}

export interface DatabaseProbe {
  read(): Promise<DatabaseResources>;
  /** Returns the largest tables with their sizes in MiB, such as `documents 12.3`. */
  listLargestTables(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens a connection that reads the resources of a database. */
export async function openDatabaseProbe(url: string): Promise<DatabaseProbe> {
  const database = openDatabase({ url, connections: 1, onConnectionLost: () => undefined });
  const { pool } = database;
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = await readParentPid(rows[0]?.pid ?? NaN);
  return {
    async read() {
      const sizes = await pool.query<{ bytes: string; dead: string }>(
        `select pg_database_size(current_database()) as bytes,
           (select sum(n_dead_tup) from pg_stat_user_tables) as dead`,
      );
      const { proportionalMb } = await readProcessMemory(await listProcessTree(postmaster));
      return {
        databaseSize: Number(sizes.rows[0]?.bytes) / MIB,
        deadRows: Number(sizes.rows[0]?.dead),
        postgresMemory: (proportionalMb * 1e6) / MIB,
      };
    },
    async listLargestTables() {
      const tables = await pool.query<{ name: string; bytes: string }>(
        `select relname as name, pg_total_relation_size(relid) as bytes
         from pg_stat_user_tables order by 2 desc limit $1`,
        [LARGEST_TABLES],
      );
      return tables.rows.map(({ name, bytes }) => `${name} ${(Number(bytes) / MIB).toFixed(1)}`);
    },
    close: () => database.close(),
  };
}
