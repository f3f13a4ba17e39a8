import { MAX_NAME_LENGTH, NEW_LIFE } from '@quarry/contracts';
import { and, eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { lockDatastore, type DatastoreKey } from '../datastores/datastore-repository.js';
import { problem } from '../problems.js';
import type { ByAddress } from './read-by-address.js';
import { planNextSync } from '../schedule/next-sync.js';
import { startRuns, type DatasourceWithRun } from '../runs/start-runs.js';

/** A page, a site or a listing, as it is to be fetched. */
export interface AddressSource {
  readonly type: ByAddress['type'];
  /** Null where the caller gives none. */
  readonly name: string | null;
  /** Where it is read: shown as its name where it has none. */
  readonly readFrom: string;
  readonly customId: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** Of the one page that the datasource is; null for all others. A page has its address as its key. */
  readonly address: string | null;
  /** Encrypts the headers for the datasource of this id. */
  readonly encryptHeaders: (datasourceId: string) => string | null;
}

/**
 * Makes a datasource of a page, a site or a listing and starts its first run. The same page again is the same datasource, fetched again.
 *
 * @throws Problem 404 for a datastore that is not there, 409 for an address that names a document of another type
 */
export async function saveByAddress(
  db: Queries,
  { organizationId, id }: DatastoreKey,
  wanted: AddressSource,
  now: Date,
): Promise<DatasourceWithRun> {
  return db.transaction(async (tx) => {
    const datastore = await lockDatastore(tx, organizationId, id);
    const row = (await lockSamePage(tx, datastore, wanted)) ?? (await insert(tx, datastore, wanted, now));
    const { name, customId, config } = wanted;
    // The first reading of a listing shows all of it.
    const kind = { mode: wanted.type === 'item_listing' ? 'full' : null, dryRun: false } as const;
    const wantedRow = { ...row, name: name ?? row.name, customId, config };
    const [started] = await startRuns(tx, datastore, [{ ...wantedRow, ...planNextSync(wantedRow, now) }], {
      now,
      kind,
    });
    if (started === undefined) throw new Error(`no run of datasource ${row.id} was started`);
    return started;
  });
}

/** Two calls for one page cannot meet here: each holds the datastore's lock. */
async function lockSamePage(
  tx: Queries,
  datastore: DatastoreRow,
  { type, address }: AddressSource,
): Promise<DatasourceRow | undefined> {
  if (address === null) return undefined;
  const same = and(eq(datasources.datastoreId, datastore.id), eq(datasources.documentKey, address));
  const [row] = await tx.select().from(datasources).where(same).for('update');
  if (row !== undefined && row.type !== type) {
    throw problem('datasource_type_fixed', `${address} names the ${row.type} ${row.id} in this datastore.`);
  }
  return row;
}

async function insert(tx: Queries, datastore: DatastoreRow, wanted: AddressSource, now: Date): Promise<DatasourceRow> {
  const { address, encryptHeaders, type, customId, config, readFrom } = wanted;
  const name = wanted.name ?? readFrom.slice(0, MAX_NAME_LENGTH);
  const id = newId();
  const { organizationId, id: datastoreId } = datastore;
  const times = { createdAt: now, updatedAt: now };
  const row = {
    ...{ type, name, customId, config },
    encryptedHeaders: encryptHeaders(id),
    ...NEW_LIFE,
    ...times,
    id,
    organizationId,
    datastoreId,
    documentKey: address,
  };
  const [inserted] = await tx.insert(datasources).values(row).returning();
  if (inserted === undefined) throw new Error(`the ${type} ${name} was not written`);
  return inserted;
}
