import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Connection } from '@lancedb/lancedb';

export interface TemporaryDatabase {
  readonly directory: string;
  /** The connection to the folder. Each read of one of its tables sees the newest version of the table. */
  readonly connection: Connection;
  /** Closes the connection and removes the folder. */
  remove(): Promise<void>;
}

/** Opens LanceDB on a new, empty folder. */
export async function openTemporaryDatabase(): Promise<TemporaryDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
  const connection = await connect(directory, { readConsistencyInterval: 0 });
  return {
    directory,
    connection,
    remove: async () => {
      connection.close();
      await rm(directory, { recursive: true });
    },
  };
}
