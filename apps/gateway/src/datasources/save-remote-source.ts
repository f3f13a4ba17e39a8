import { MAX_NAME_LENGTH, INITIAL_STATE } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { lockDatastore, type DatastoreKey } from '../datastores/datastore-repository.js';
import { problem } from '../problems.js';
import type { RemoteSourceRequest } from './parse-remote-source.js';
import { planNextSync } from '../schedule/next-sync.js';
import { startRuns, type DatasourceWithRun } from '../runs/start-runs.js';

/** Contains the values of a page, a site or a listing that are stored. */
export interface RemoteSource {
  readonly type: RemoteSourceRequest['type'];
  /** Null when the request contains no name. */
  readonly name: string | null;
  /** The address that is fetched first. Used as the name if `name` is null. */
  readonly readFrom: string;
  readonly customId: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** The document key of a page, which is its address. Null for sites and listings. */
  readonly address: string | null;
  /** Encrypts the HTTP headers of a listing for the datasource with this id. Returns null if there are none. */
  readonly encryptHeaders: (datasourceId: string) => string | null;
}

/**
 * Creates a datasource for a page, a site or a listing, and starts its first run. If the datastore already contains the page, starts
 * another run of its datasource instead.
 *
 * @throws Problem 404 for an unknown datastore, 409 if the address belongs to a datasource of another type
 */
export async function saveRemoteSource(
  db: Queries,
  { organizationId, id }: DatastoreKey,
  source: RemoteSource,
  now: Date,
): Promise<DatasourceWithRun> {
  return db.transaction(async (tx) => {
    const datastore = await lockDatastore(tx, organizationId, id);
    const row = await insertOrLockRow(tx, datastore, source, now);
    if (row.type !== source.type) {
      throw problem(
        'datasource_type_fixed',
        `The address ${String(source.address)} belongs to the ${row.type} ${row.id} in this datastore.`,
      );
    }
    const { name, customId, config } = source;
    // The first sync of a listing reads all items.
    const kind = { mode: source.type === 'item_listing' ? 'full' : null, dryRun: false } as const;
    const changedRow = { ...row, name: name ?? row.name, customId, config };
    const [started] = await startRuns(tx, datastore, [{ ...changedRow, ...planNextSync(changedRow, now) }], {
      now,
      kind,
      // A person waits for a page. A site or a listing takes longer anyway.
      jobClass: source.type === 'web_page' ? 'interactive' : 'sync',
    });
    if (started === undefined) throw new Error(`expected a started run of the datasource ${row.id}, found none`);
    return started;
  });
}

/** Inserts a datasource, or locks the existing datasource of the same page until the transaction ends. */
async function insertOrLockRow(
  tx: Queries,
  datastore: DatastoreRow,
  source: RemoteSource,
  now: Date,
): Promise<DatasourceRow> {
  const { address, encryptHeaders, type, customId, config, readFrom } = source;
  const name = source.name ?? readFrom.slice(0, MAX_NAME_LENGTH);
  const id = newId();
  const { organizationId, id: datastoreId } = datastore;
  const times = { createdAt: now, updatedAt: now };
  const row = {
    ...{ type, name, customId, config },
    encryptedHeaders: encryptHeaders(id),
    ...INITIAL_STATE,
    ...times,
    id,
    organizationId,
    datastoreId,
    documentKey: address,
  };
  const [stored] = await tx
    .insert(datasources)
    .values(row)
    .onConflictDoUpdate({ target: [datasources.datastoreId, datasources.documentKey], set: { updatedAt: now } })
    .returning();
  if (stored === undefined) throw new Error(`expected the stored ${type} ${name}, found no row`);
  return stored;
}
