import type { SystemDatabase } from '@quarry/client';
import type { ReactNode } from 'react';
import { KeyValueList } from '../../components/key-value-list.js';
import { FormattedBytes } from '../../components/formatted-number.js';
import { StatusBadge } from '../../components/status-badge.js';
import { useMessages } from '../../language/language-context.js';
import { systemMessages } from './messages.js';
import { UnavailableNotice } from './queue-tables.js';

/** Shows the size and the version of the database, and its latest schema migration. */
export function DatabasePanel({ database }: { readonly database: SystemDatabase }): ReactNode {
  const messages = useMessages(systemMessages);
  const { sizeBytes, version, migration, expectedMigration } = database;
  if (database.status === 'unavailable') return <UnavailableNotice reason={database.reason} />;
  const isCurrent = migration === expectedMigration;
  return (
    <div className="panel">
      <KeyValueList
        items={[
          { key: messages.size, value: sizeBytes !== null && <FormattedBytes value={sizeBytes} /> },
          { key: messages.postgres, value: <span className="numbers">{version}</span> },
          {
            key: messages.migration,
            value: (
              <span className="system-migration">
                {migration === null ? messages.newerMigration : <code>{migration}</code>}
                {isCurrent ? (
                  <StatusBadge tone="success">{messages.current}</StatusBadge>
                ) : (
                  <StatusBadge tone="warning">{messages.expected(expectedMigration)}</StatusBadge>
                )}
              </span>
            ),
          },
        ]}
      />
    </div>
  );
}
