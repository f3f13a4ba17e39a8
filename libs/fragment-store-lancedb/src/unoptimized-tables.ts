import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Collection } from '@quarry/fragment-store';
import type { TableKey } from './table-name.js';

/** Name of the folder with one file for each table that has to be optimized. */
const FOLDER = 'unoptimized';
const SUFFIX = '.json';

/**
 * Records on disk which tables have to be optimized, because they have unindexed rows, which slow down searches, or old
 * versions. The next process that writes into the folder optimizes these tables, even if it writes nothing to them.
 */
export class UnoptimizedTables {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async addTable({ name, collection }: TableKey): Promise<void> {
    const path = this.#getMarkerPath(name);
    await mkdir(join(this.#directory, FOLDER), { recursive: true });
    await writeFile(`${path}.new`, JSON.stringify(collection));
    await rename(`${path}.new`, path);
  }

  async removeTable(name: string): Promise<void> {
    await rm(this.#getMarkerPath(name), { force: true });
  }

  /** Lists the recorded tables that exist. */
  async listTables(): Promise<readonly TableKey[]> {
    const files = await readdir(join(this.#directory, FOLDER)).catch(() => []);
    const names = files.filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length));
    const tables: TableKey[] = [];
    for (const name of names) {
      if (await this.#hasTable(name)) tables.push({ name, collection: await this.#readCollection(name) });
      else await this.removeTable(name);
    }
    return tables;
  }

  async #readCollection(name: string): Promise<Collection> {
    return JSON.parse(await readFile(this.#getMarkerPath(name), 'utf8')) as Collection; // written by addTable
  }

  #hasTable(name: string): Promise<boolean> {
    return access(join(this.#directory, `${name}.lance`)).then(
      () => true,
      () => false,
    );
  }

  #getMarkerPath(name: string): string {
    return join(this.#directory, FOLDER, `${name}${SUFFIX}`);
  }
}
