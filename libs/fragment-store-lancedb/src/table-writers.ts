import type { DirectoryLock } from '@quarry/directory-lock';
import { getCollectionName, type Collection } from '@quarry/fragment-store';
import { CleanupSchedule } from './cleanup-schedule.js';
import type { MaintenancePolicy } from './maintenance.js';
import { RemovedDocuments } from './removed-documents.js';
import type { RenewedConnection } from './renewed-connection.js';
import type { TableKey } from './table-name.js';
import { createTableSchema } from './table-schema.js';
import { TableWriter } from './table-writer.js';
import { type OpenedTable, openOrCreateTable, reopenTable } from './tables.js';
import { UnoptimizedTables } from './unoptimized-tables.js';
import { upgradeTables } from './upgrade-tables.js';
import { lockFolderForWriting } from './writer-lock.js';

export interface TableWritersOptions {
  readonly directory: string;
  readonly connection: RenewedConnection;
  readonly policy: MaintenancePolicy;
  /** Receives the error of each failed optimization, and the name of the table. */
  readonly report: (error: unknown, table: string) => void;
}

/**
 * Delay after the start, in milliseconds, before the tables are optimized that the previous process left unoptimized.
 * Searches of these tables are slow until then, but the service has to become ready first.
 */
const OPTIMIZE_AFTER_START_MS = 1_000;

interface OpenWriter {
  readonly key: TableKey;
  readonly writer: Promise<TableWriter>;
  /** Number of active tasks that use the writer. A writer with tasks is not closed. */
  uses: number;
}

/**
 * Opens a writer for each table that is written, and closes the least recently used idle writers. Before the first
 * write, locks the folder and upgrades tables of earlier versions of Quarry.
 */
export class TableWriters {
  readonly #options: TableWritersOptions;
  /** Holds the open writers, keyed by table name, the least recently used one first. */
  readonly #open = new Map<string, OpenWriter>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #removed = new Map<string, RemovedDocuments>();
  readonly #cleanups: CleanupSchedule<TableKey>;
  readonly #unoptimized: UnoptimizedTables;
  #lock: DirectoryLock | undefined;
  #prepared: Promise<void> | undefined;

  constructor(options: TableWritersOptions) {
    this.#options = options;
    this.#unoptimized = new UnoptimizedTables(options.directory);
    this.#cleanups = new CleanupSchedule(options.policy.retentionMs, (key) =>
      this.runWithWriter(key, (writer) => writer.optimizeNow()).catch((error: unknown) => {
        options.report(error, key.name);
      }),
    );
  }

  /**
   * Locks the folder, upgrades tables of earlier versions of Quarry, and schedules the optimization of the tables that
   * the previous process left unoptimized.
   *
   * @throws FolderInUse if another store writes into the folder
   */
  async prepareFolderForWriting(): Promise<void> {
    this.#lock ??= lockFolderForWriting(this.#options.directory);
    this.#prepared ??= this.#prepareTables();
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
  }

  /** Returns the document removals that this process has recorded for a collection. */
  getRemovals(collection: Collection): RemovedDocuments {
    const name = getCollectionName(collection);
    const removed = this.#removed.get(name) ?? new RemovedDocuments();
    this.#removed.set(name, removed);
    return removed;
  }

  /** Runs a task with the writer of a table. Creates the table if it does not exist. */
  runWithWriter<T>(key: TableKey, task: (writer: TableWriter) => Promise<T>): Promise<T> {
    const open = this.#open.get(key.name) ?? { key, writer: this.#openWriter(key), uses: 0 };
    return this.#runTask(open, task);
  }

  /** Runs a task with the writer of a table if the writer is open or being opened. Returns undefined otherwise. */
  runWithOpenWriter<T>(key: TableKey, task: (writer: TableWriter) => Promise<T>): Promise<T> | undefined {
    const open = this.#open.get(key.name);
    return open === undefined ? undefined : this.#runTask(open, task);
  }

  async closeWriters(): Promise<void> {
    await this.#cleanups.stop();
    for (const { writer } of this.#open.values()) await (await writer).closeWriter();
    await Promise.all(this.#closing.values());
    await this.#options.connection.close();
    this.#lock?.release();
  }

  async #runTask<T>(open: OpenWriter, task: (writer: TableWriter) => Promise<T>): Promise<T> {
    const { name } = open.key;
    this.#open.delete(name);
    this.#open.set(name, open);
    open.uses += 1;
    try {
      const writer = await open.writer.catch((error: unknown) => {
        if (this.#open.get(name) === open) this.#open.delete(name);
        throw error;
      });
      return await task(writer);
    } finally {
      open.uses -= 1;
      this.#closeIdleWriters();
    }
  }

  async #openWriter({ collection, name }: TableKey): Promise<TableWriter> {
    await this.prepareFolderForWriting();
    await this.#closing.get(name);
    const { connection, policy, report } = this.#options;
    const schema = createTableSchema(collection.embedding?.dimensions ?? null);
    const table = await openOrCreateTable(await connection.getConnection(), name, schema);
    const reopen = async (): Promise<OpenedTable> => reopenTable(await connection.getConnection(), name);
    const removed = this.getRemovals(collection);
    const state = {
      recordUnoptimized: () => this.#unoptimized.addTable({ collection, name }),
      recordOptimized: () => this.#unoptimized.removeTable(name),
    };
    return TableWriter.openWriter({ table, schema, reopen, removed, state }, policy, (error) => {
      report(error, name);
    });
  }

  #closeIdleWriters(): void {
    let excess = this.#open.size - this.#options.policy.idleWriters;
    for (const [name, open] of this.#open) {
      if (excess <= 0) return;
      if (open.uses > 0) continue;
      excess -= 1;
      this.#open.delete(name);
      const closing = this.#closeWriter(open).finally(() => this.#closing.delete(name));
      this.#closing.set(name, closing);
    }
  }

  async #closeWriter({ key, writer }: OpenWriter): Promise<void> {
    try {
      const hasOldVersions = await (await writer).finishMaintenanceAndClose();
      if (hasOldVersions) this.#cleanups.scheduleItem(key.name, key);
    } catch (error) {
      this.#options.report(error, key.name);
    }
  }

  async #prepareTables(): Promise<void> {
    const { connection, directory } = this.#options;
    await upgradeTables(await connection.getConnection(), directory);
    for (const key of await this.#unoptimized.listTables())
      this.#cleanups.scheduleItem(key.name, key, OPTIMIZE_AFTER_START_MS);
  }
}
