/**
 * Describes a change that event streams may have to report. It contains ids only, because each gateway reads the
 * current state itself.
 */
export type Change =
  | { readonly kind: 'datasource'; readonly id: string }
  /** A datasource was removed. Contains the id of its datastore, because the row of the datasource no longer exists. */
  | { readonly kind: 'removed'; readonly id: string; readonly datastoreId: string }
  | { readonly kind: 'datastore' | 'key' | 'organization'; readonly id: string }
  /** A session ended. `id` is the hash of the token of the session. */
  | { readonly kind: 'session'; readonly id: string }
  /** Earlier changes may have been lost: every event stream must read the current state again. */
  | { readonly kind: 'reset' };

/** Name of the PostgreSQL notification channel through which gateways receive changes. */
export const CHANNEL = 'quarry_changes';

/** Maximum length of the payload of a notification, in characters. PostgreSQL allows less than 8,000 bytes. */
const MAX_PAYLOAD_CHARACTERS = 7_500;

/** Formats a change, such as `removed:<id>:<datastore id>`. */
export function formatChange(change: Change): string {
  if (change.kind === 'reset') return change.kind;
  return change.kind === 'removed'
    ? `${change.kind}:${change.id}:${change.datastoreId}`
    : `${change.kind}:${change.id}`;
}

/** Joins formatted changes to as few payloads of notifications as possible. */
export function buildNotificationPayloads(changes: Iterable<string>): readonly string[] {
  const payloads: string[] = [];
  for (const change of changes) {
    const last = payloads.at(-1);
    if (last === undefined || last.length + change.length >= MAX_PAYLOAD_CHARACTERS) payloads.push(change);
    else payloads[payloads.length - 1] = `${last},${change}`;
  }
  return payloads;
}

/** Holds a received notification. */
export interface Notification {
  /**
   * Time at which the database sent the notification, in milliseconds since 1970-01-01. 0 if the notification contains
   * no valid time.
   */
  readonly at: number;
  readonly changes: readonly Change[];
}

/**
 * Parses a payload of the form `<time> <changes>`. Ignores changes of unknown kinds, which a newer gateway may send.
 */
export function parseNotification(payload: string): Notification {
  const [at = '', changes = ''] = payload.split(' ');
  return { at: Number(at) || 0, changes: changes.split(',').flatMap(parseChange) };
}

/** Parses a formatted change. Returns an empty list for a change of an unknown kind. */
function parseChange(text: string): readonly Change[] {
  const [kind = '', id = '', datastoreId = ''] = text.split(':');
  switch (kind) {
    case 'datasource':
    case 'datastore':
    case 'key':
    case 'organization':
    case 'session':
      return [{ kind, id }];
    case 'removed':
      return [{ kind, id, datastoreId }];
    case 'reset':
      return [{ kind }];
    default:
      return [];
  }
}
