import { join } from 'node:path';
import { startEmbeddedPostgres } from '@quarry/embedded-postgres';
import { openDatabase } from '@quarry/gateway';

export interface FilledDatastore {
  readonly organizationId: string;
  readonly datastoreId: string;
  /**
   * Number of datasources to insert. One in a thousand of them has failed, alternately with the error codes
   * `file_empty` and `file_encrypted`.
   */
  readonly count: number;
}

/** Writes datasources with their runs into the database of a standalone Quarry, as if files had been uploaded. */
export async function insertDatasources(dataDirectory: string, filled: FilledDatastore): Promise<void> {
  const postgres = await startEmbeddedPostgres({ directory: join(dataDirectory, 'postgres') });
  const database = openDatabase({ url: postgres.url, connections: 1, onConnectionLost: () => undefined });
  try {
    const { organizationId, datastoreId, count } = filled;
    await database.pool.query(INSERT_DATASOURCES, [organizationId, datastoreId, count]);
    await database.pool.query(INSERT_RUNS, [datastoreId]);
    await database.pool.query('analyze quarry.datasources, quarry.runs');
  } finally {
    await database.close();
    await postgres.stop();
  }
}

/**
 * SQL statement that inserts the datasources. Their ids are UUIDs of version 7 with a time in the past. The console
 * therefore lists them below the datasources that a test adds.
 */
const INSERT_DATASOURCES = `
  insert into quarry.datasources (id, organization_id, datastore_id, type, name, document_key, identity, config, mime_type,
    status, error_code, error_message, run_id, sequence, fragments, stored_tokens)
  select ('0190' || left(md5($2::text), 4) || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1::uuid, $2::text::uuid, 'file',
    'Manual ' || n || '.pdf', 'document ' || n, 'identity ' || n, '{}', 'application/pdf',
    case when n % 1000 = 0 then 'error' else 'synched' end,
    case when n % 2000 = 0 then 'file_encrypted' when n % 1000 = 0 then 'file_empty' end,
    case when n % 1000 = 0 then 'The file cannot be read.' end,
    ('0190' || left(md5($2::text), 4) || '-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, 2, 10, 1000
  from generate_series(1, $3::int) n`;

const INSERT_RUNS = `
  insert into quarry.runs (id, organization_id, datasource_id, status, sequence, counters, failure_reasons, timeline, code,
    message, ended_at)
  select run_id, organization_id, id, status, 2,
    '{"discovered":1,"fetched":1,"indexed":1,"unchanged":0,"skipped":0,"failed":0,"removed":0}', '[]', '[]', error_code,
    error_message, now()
  from quarry.datasources where datastore_id = $1::uuid`;
