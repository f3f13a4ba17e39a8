import type { WatchdogTask } from './watchdog.js';

/** Defines when the rows of a table are deleted. */
export type RetentionRule =
  /** Requests of customers create and delete the rows. */
  | { readonly deletedBy: 'request' }
  /** A cascading foreign key deletes the rows together with the row of the given table to which they belong. */
  | { readonly deletedWith: string }
  /** The given task of the watchdog deletes the rows. */
  | { readonly deletedBy: 'watchdog'; readonly task: WatchdogTask }
  /**
   * A row describes work, and is deleted when this work is done. The given task of the watchdog repeats the work if it
   * was lost.
   */
  | { readonly deletedBy: 'work'; readonly task: WatchdogTask }
  /** The given library writes and deletes the rows. */
  | { readonly deletedBy: 'library'; readonly name: string }
  /** Each write to the table deletes the rows that are too old. */
  | { readonly deletedBy: 'next write' }
  /** The table does not grow, because it has one row per queue, per provider or for the latest backup. */
  | { readonly oneRowPer: 'queue' | 'provider' | 'backup' };

/** Maps the name of each table to its retention rule. A test fails for a table without a rule. */
export const RETENTION_RULES: Readonly<Record<string, RetentionRule>> = {
  organizations: { deletedBy: 'request' },
  datastores: { deletedBy: 'request' },
  agents: { deletedBy: 'request' },
  api_keys: { deletedBy: 'request' },
  webhooks: { deletedBy: 'request' },
  datasources: { deletedBy: 'request' },
  // An organization has 500 evaluations at most. The request that deletes the last evaluation of a dataset deletes the
  // dataset.
  evaluations: { deletedBy: 'request' },
  evaluation_datasets: { deletedBy: 'request' },
  evaluation_questions: { deletedWith: 'evaluation_datasets' },
  evaluation_results: { deletedWith: 'evaluations' },
  agent_datastores: { deletedWith: 'agents' },
  documents: { deletedWith: 'datasources' },
  document_totals: { deletedWith: 'datasources' },
  run_documents: { deletedWith: 'datasources' },
  // In addition, the start of a run deletes all but the newest runs of its datasource.
  runs: { deletedWith: 'datasources' },
  token_reservations: { deletedWith: 'datasources' },
  token_totals: { deletedWith: 'organizations' },
  stored_document_totals: { deletedWith: 'organizations' },
  messages: { deletedWith: 'conversations' },
  deleted_responses: { deletedWith: 'conversations' },
  conversations: { deletedBy: 'watchdog', task: 'oldConversations' },
  idempotency_keys: { deletedBy: 'watchdog', task: 'expiredKeys' },
  files: { deletedBy: 'watchdog', task: 'expiredFiles' },
  uploads: { deletedBy: 'watchdog', task: 'expiredUploads' },
  upload_parts: { deletedWith: 'uploads' },
  sessions: { deletedBy: 'watchdog', task: 'expiredSessions' },
  // A one-time code is deleted a day after it has expired.
  sign_in_codes: { deletedBy: 'watchdog', task: 'expiredSessions' },
  source_erasures: { deletedBy: 'watchdog', task: 'removedSources' },
  usage_months: { deletedBy: 'watchdog', task: 'oldUsage' },
  usage_days: { deletedBy: 'watchdog', task: 'oldUsage' },
  usage_stripes: { deletedBy: 'watchdog', task: 'oldUsage' },
  discarded_blobs: { deletedBy: 'work', task: 'discardedBlobs' },
  removals: { deletedBy: 'work', task: 'removals' },
  // The task deletes events that have waited for 30 days, and events whose deliveries ended a week ago.
  webhook_deliveries: { deletedBy: 'watchdog', task: 'oldDeliveries' },
  // The dispatcher deletes a published job. The task deletes refused jobs.
  outbox: { deletedBy: 'watchdog', task: 'refusedJobs' },
  // A stream can be read for ten minutes after its end.
  answer_streams: { deletedBy: 'watchdog', task: 'answerStreams' },
  dispatch_locks: { oneRowPer: 'queue' },
  model_connections: { oneRowPer: 'provider' },
  removal_hold: { oneRowPer: 'backup' },
  // Each report deletes the reports of processes that have not reported for 10 minutes.
  service_reports: { deletedBy: 'next write' },
  // A new batch deletes the batches of its vector store that are older than 30 days. All batches are deleted with the
  // vector store.
  file_batches: { deletedBy: 'next write' },
  request_counts: { deletedBy: 'library', name: 'rate-limiter-flexible' },
};
