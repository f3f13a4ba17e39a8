import { describe, expect, it } from 'vitest';
import { buildNotificationPayloads, type Change, formatChange, parseNotification } from './change.js';

const ID = '01a20490-4a6e-75dc-8c21-78838bcf0aa4';

describe('a change notification', () => {
  it('parseNotification returns the changes in a formatted payload, and omits changes of unknown kinds', () => {
    const changes: readonly Change[] = [
      { kind: 'datasource', id: ID },
      { kind: 'removed', id: ID, datastoreId: ID },
      { kind: 'key', id: ID },
      { kind: 'session', id: 'a'.repeat(64) },
      { kind: 'reset' },
    ];
    const [payload = ''] = buildNotificationPayloads([...changes.map(formatChange), 'newer:x']);
    expect(parseNotification(`17 ${payload}`)).toEqual({ at: 17, changes });
    expect(parseNotification('')).toEqual({ at: 0, changes: [] });
  });

  it('many changes are divided into several notifications whose payloads do not exceed the limit of PostgreSQL', () => {
    const changes = Array.from({ length: 1_000 }, (_, at) =>
      formatChange({ kind: 'removed', id: `${ID}${at}`, datastoreId: ID }),
    );
    const payloads = buildNotificationPayloads(changes);
    expect(Math.max(...payloads.map(({ length }) => length))).toBeLessThan(7_900);
    expect(payloads.join(',').split(',')).toEqual(changes);
  });
});
