import type { Datastore } from '@quarry/client';
import type { ReactNode } from 'react';
import { WarningIcon } from '../../components/icons.js';
import '../../components/panel.css';
import { StatusBadge } from '../../components/status-badge.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { datastoresMessages } from './messages.js';

type ExpiryProps = Pick<Datastore, 'expiry'>;

/** Shows when a datastore expires, or that it has expired. Renders nothing if it never expires. */
export function ExpiryBadge({ expiry }: ExpiryProps): ReactNode {
  const messages = useMessages(datastoresMessages);
  if (expiry === null) return null;
  const { expiresAt, expiredAt } = expiry;
  return (
    <StatusBadge tone={expiredAt === null ? 'neutral' : 'warning'}>
      {expiredAt === null ? messages.expires : messages.expired} <RelativeTime value={expiredAt ?? expiresAt} />
    </StatusBadge>
  );
}

/** Shows a notice that explains which requests an expired datastore refuses, and how to reactivate it. */
export function ExpiryNotice({ expiry }: ExpiryProps): ReactNode {
  const messages = useMessages(datastoresMessages);
  const formats = useFormats();
  if (expiry?.expiredAt === undefined || expiry.expiredAt === null) return null;
  return (
    <div className="notice notice-warning" role="status">
      <WarningIcon />
      <div>
        <strong>
          {formats.plural(expiry.days, { one: messages.expiredTitleOne, other: messages.expiredTitleOther })}
        </strong>
        <p>{messages.expiredText}</p>
      </div>
    </div>
  );
}
