import type { Webhook } from '@quarry/client';
import type { ReactNode } from 'react';
import { KeyValueList } from '../../components/key-value-list.js';
import { Tag } from '../../components/status-badge.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useMessages } from '../../language/language-context.js';
import { webhooksMessages } from './messages.js';
import { WEBHOOK_EVENTS } from './use-webhooks.js';
import { getEventLabel, getWebhookLabel } from './webhook-labels.js';
import { LastAttempt, WaitingEventCount } from './webhook-table.js';

/** Shows the state and the settings of a webhook as names and values. */
export function WebhookFacts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { events, failingSince, pausedUntil, previousSecretExpiresAt, disabledReason } = webhook;
  const { reason } = getWebhookLabel(webhook, messages);
  const conditions = [
    reason !== undefined && { key: messages.disabled, value: <TextWithTime at={disabledReason?.at} text={reason} /> },
    failingSince !== null && { key: messages.failingSince, value: <RelativeTime value={failingSince} /> },
    webhook.enabled &&
      pausedUntil !== null &&
      Date.parse(pausedUntil) > new Date().getTime() && {
        key: messages.pausedUntil,
        value: <RelativeTime value={pausedUntil} />,
      },
    previousSecretExpiresAt !== null && {
      key: messages.previousSecret,
      value: <RelativeTime value={previousSecretExpiresAt} />,
    },
  ];
  return (
    <KeyValueList
      items={[
        ...conditions.filter((item) => item !== false),
        {
          key: messages.events,
          value: (
            <span className="tags">
              {WEBHOOK_EVENTS.filter((event) => events.includes(event)).map((event) => (
                <Tag key={event}>{getEventLabel(event, messages)}</Tag>
              ))}
            </span>
          ),
        },
        { key: messages.last, value: <LastAttempt lastDelivery={webhook.lastDelivery} /> },
        { key: messages.waiting, value: <WaitingEventCount waiting={webhook.waiting} /> },
        { key: messages.createdAt, value: <RelativeTime value={webhook.createdAt} /> },
      ]}
    />
  );
}

function TextWithTime({ text, at }: { readonly text: string; readonly at: string | undefined }): ReactNode {
  return (
    <>
      {text} {at !== undefined && <RelativeTime value={at} />}
    </>
  );
}
