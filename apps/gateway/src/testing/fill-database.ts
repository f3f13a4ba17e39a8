import pg from 'pg';

/**
 * Defines the number of rows that each table gets. Rows are spread evenly over the rows to which they belong, such as
 * runs over datasources.
 */
export interface DatabaseSizes {
  readonly organizations: number;
  readonly datasources: number;
  readonly runs: number;
  readonly documents: number;
  readonly conversations: number;
}

/**
 * The organization whose rows the statements under test read. This organization has as many rows as all other
 * organizations together.
 */
export const BUSY_ORGANIZATION = buildFilledId('0', '1');

/**
 * Returns SQL for the id of a row. The id consists of the kind and the number of the row, so that the SQL of other rows
 * can compute it.
 */
function selectId(kind: string, number: string): string {
  return `('${kind}0000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

/** Returns the id of a row that `fillDatabase` inserts, such as the datasource with the number 1. */
export function buildFilledId(kind: string, number: string): string {
  return `${kind}0000000-0000-7000-8000-${Number(number).toString(16).padStart(12, '0')}`;
}

/** The kinds of rows that `fillDatabase` inserts. The kind of a row is the first digit of its id. */
export const FILLED = { organization: '0', datastore: '1', agent: '2', datasource: '3', run: '4', conversation: '5' };

/**
 * Returns SQL for the number of the organization of a row. Every second row belongs to organization 1. The remaining
 * rows are spread over the other organizations.
 */
const selectOrganizationNumber = (number: string, { organizations }: DatabaseSizes): string =>
  `(case when ${number} % 2 = 0 then 1 else 2 + (${number} / 2) % ${Math.max(1, organizations - 1)} end)`;

/**
 * Fills a migrated database. Most datasources are files, and every hundredth is a web site with documents and several
 * runs. Most datasources are synched. Each organization has one datastore and one agent, with the same number as the
 * organization.
 */
export async function fillDatabase(url: string, sizes: DatabaseSizes): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of [...buildParentInserts(sizes), ...buildContentInserts(sizes), ...buildQueueInserts(sizes)]) {
    await client.query(statement);
  }
  await client.query('vacuum (analyze)');
  await client.end();
}

/** Builds statements that insert organizations, datastores and agents. */
function buildParentInserts({ organizations }: DatabaseSizes): readonly string[] {
  const each = `from generate_series(1, ${organizations}) n`;
  return [
    `insert into quarry.organizations (id, name, stored_tokens, conversation_retention_days)
     select ${selectId(FILLED.organization, 'n')}, 'organization ' || n, 1000000000, 365 ${each}`,
    `insert into quarry.datastores (id, organization_id, name, splitting)
     select ${selectId(FILLED.datastore, 'n')}, ${selectId(FILLED.organization, 'n')}, 'datastore ' || n,
       '{"maxTokens":500,"overlapTokens":50}' ${each}`,
    `insert into quarry.agents (id, organization_id, name, generation, restrict_to_knowledge)
     select ${selectId(FILLED.agent, 'n')}, ${selectId(FILLED.organization, 'n')}, 'agent ' || n, '{}', true ${each}`,
    `insert into quarry.agent_datastores (organization_id, agent_id, datastore_id, position)
     select ${selectId(FILLED.organization, 'n')}, ${selectId(FILLED.agent, 'n')}, ${selectId(FILLED.datastore, 'n')}, 0 ${each}`,
  ];
}

/** Every datasource whose number is divisible by this number is a web site. */
const SITE = 100;

function buildContentInserts(sizes: DatabaseSizes): readonly string[] {
  const { datasources, runs, documents, conversations } = sizes;
  const sites = Math.max(1, Math.floor(datasources / SITE));
  const isSite = `n % ${SITE} = 0`;
  const selectOrganizationNumberOf = (number: string): string => selectOrganizationNumber(number, sizes);
  const datasourceOfRun = `case when n <= ${datasources} then n else ((n - 1) % ${sites} + 1) * ${SITE} end`;
  const site = `((n - 1) % ${sites} + 1) * ${SITE}`;
  return [
    `insert into quarry.datasources (id, organization_id, datastore_id, type, name, document_key, identity, custom_id, config,
       blob_key, mime_type, status, run_id, sequence, fragments, stored_tokens, next_sync_at)
     select ${selectId(FILLED.datasource, 'n')}, ${selectId(FILLED.organization, selectOrganizationNumberOf('n'))}, ${selectId(FILLED.datastore, selectOrganizationNumberOf('n'))},
       case when ${isSite} then 'web_site' else 'file' end, 'file ' || n,
       case when ${isSite} then null else 'document ' || n end, 'identity ' || n, 'custom ' || n,
       case when ${isSite} then '{"source_url":"https://example.com/","schedule":"every 1d"}'::jsonb else '{}' end,
       case when ${isSite} then null else 'blob-' || n end, 'text/plain',
       case when n % 1000 = 1 then 'error' when n % 5000 = 3 then 'usage_limit_reached' when n % 5000 < 2 then 'running' else 'synched' end,
       ${selectId(FILLED.run, 'n')}, 2, 10, 1000, case when ${isSite} then now() + n * interval '1 minute' end
     from generate_series(1, ${datasources}) n`,
    `insert into quarry.runs (id, organization_id, datasource_id, status, sequence, counters, failure_reasons, timeline, ended_at,
       documents_recorded, heard_at)
     select ${selectId(FILLED.run, 'n')}, ${selectId(FILLED.organization, selectOrganizationNumberOf(`(${datasourceOfRun})`))},
       ${selectId(FILLED.datasource, datasourceOfRun)}, case when n <= ${datasources} and n % 5000 < 2 then 'running' else 'synched' end, 2,
       '{"discovered":0,"fetched":0,"indexed":0,"unchanged":0,"skipped":0,"failed":0,"removed":0}', '[]', '[]',
       case when n <= ${datasources} and n % 5000 < 2 then null else now() end, 0, now() - interval '1 hour'
     from generate_series(1, ${runs}) n`,
    `insert into quarry.documents (organization_id, datasource_id, document_key, run_id, outcome, fragments, stored_tokens, version, settled_at)
     select ${selectId(FILLED.organization, selectOrganizationNumberOf(`(${site})`))}, ${selectId(FILLED.datasource, site)}, 'https://example.com/' || n,
       ${selectId(FILLED.run, site)}, case when n % 1000 = 7 then 'failed' when n % 10 = 1 then 'indexed' else 'unchanged' end,
       5, 500, 'v' || n, now()
     from generate_series(1, ${documents}) n`,
    `insert into quarry.token_reservations (organization_id, datasource_id, document_key, tokens)
     select organization_id, id, document_key, stored_tokens from quarry.datasources where document_key is not null`,
    `insert into quarry.conversations (id, organization_id, agent_id, turns, feedback_up, feedback_down, unanswered)
     select ${selectId(FILLED.conversation, 'n')}, ${selectId(FILLED.organization, selectOrganizationNumberOf('n'))}, ${selectId(FILLED.agent, selectOrganizationNumberOf('n'))}, 1,
       (n % 1000 = 2)::int, (n % 1000 = 4)::int, (n % 1000 = 6)::int
     from generate_series(1, ${conversations}) n`,
    `insert into quarry.messages (id, organization_id, conversation_id, turn, role, text, visitor_id, state, sources)
     select gen_random_uuid(), organization_id, id, 1, role, 'text', 'visitor', 'complete',
       case when role = 'user' then '[]'::jsonb
         else jsonb_build_array(jsonb_build_object('datasource_id', id, 'text', 'a quotation')) end
     from quarry.conversations, (values ('user'), ('assistant')) roles (role)`,
  ];
}

/**
 * Builds statements that fill the tables of work that waits, such as removals and the outbox, as after the deletion of
 * a large datastore.
 */
function buildQueueInserts({ organizations, datasources, conversations }: DatabaseSizes): readonly string[] {
  const each = `from generate_series(1, ${Math.ceil(datasources / 5)}) n`;
  const organization = selectId(FILLED.organization, `1 + n % ${organizations}`);
  return [
    `insert into quarry.discarded_blobs (key, organization_id, datasource_id, remove_after)
     select 'discarded-' || n, ${organization}, gen_random_uuid(), now() + interval '1 day' ${each}`,
    `insert into quarry.removals (id, organization_id, datastore_id, kind, datasource_id, payload, attempts, repeat_at)
     select gen_random_uuid(), ${organization}, gen_random_uuid(), 'datasource', gen_random_uuid(), '{}', 1, now() + interval '1 day' ${each}`,
    `insert into quarry.run_documents (organization_id, datasource_id, run_id, document_key, job)
     select organization_id, datasource_id, run_id, document_key, '{}' from quarry.documents where outcome = 'indexed'`,
    `insert into quarry.source_erasures (datasource_id, organization_id, requested_at)
     select gen_random_uuid(), ${organization}, now() - n % 2 * interval '1 hour' from generate_series(1, ${2 * conversations}) n`,
    `insert into quarry.outbox (organization_id, queue, class, name, payload)
     select ${organization}, 'ingestion', n % 3, 'index-document', jsonb_build_object('runId', gen_random_uuid(), 'documentKey', n::text)
     ${each}`,
    `insert into quarry.api_keys (id, organization_id, name, prefix, hash, scopes)
     select gen_random_uuid(), ${selectId(FILLED.organization, 'n')}, 'key', 'qk_', md5(n::text), '{manage}'
     from generate_series(1, ${organizations}) n`,
    `insert into quarry.idempotency_keys (organization_id, api_key_id, route, key_hash, fingerprint, expires_at)
     select key.organization_id, key.id, 'POST /datastores', md5(n::text), '', now() + interval '1 day'
     from quarry.api_keys key, generate_series(1, ${Math.ceil(datasources / organizations / 5)}) n`,
  ];
}
