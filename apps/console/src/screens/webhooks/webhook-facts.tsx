import type { Webhook } from '@quarry/client';
import type { ReactNode } from 'react';
import { KeyValueList } from '../../components/key-value-list.js';
import { Tag } from '../../components/status-badge.js';
import { Time } from '../../components/time.js';
import { useMessages } from '../../language/language-context.js';
import { webhooksMessages } from './messages.js';
import { WEBHOOK_EVENTS } from './use-webhooks.js';
import { labelEvent, labelWebhook } from './webhook-labels.js';
import { LastAttempt, WaitingEvents } from './webhook-table.js';

/** Shows the state and the settings of a webhook. */
export function WebhookFacts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { events, failingSince, pausedUntil, previousSecretExpiresAt, disabledReason } = webhook;
  const { reason } = labelWebhook(webhook, messages);
  const conditions = [
    reason !== undefined && { key: messages.disabled, value: <Reason at={disabledReason?.at} text={reason} /> },
    failingSince !== null && { key: messages.failingSince, value: <Time value={failingSince} /> },
    webhook.enabled &&
      pausedUntil !== null &&
      Date.parse(pausedUntil) > new Date().getTime() && {
        key: messages.pausedUntil,
        value: <Time value={pausedUntil} />,
      },
    previousSecretExpiresAt !== null && {
      key: messages.previousSecret,
      value: <Time value={previousSecretExpiresAt} />,
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
                <Tag key={event}>{labelEvent(event, messages)}</Tag>
              ))}
            </span>
          ),
        },
        { key: messages.last, value: <LastAttempt lastDelivery={webhook.lastDelivery} /> },
        { key: messages.waiting, value: <WaitingEvents waiting={webhook.waiting} /> },
        { key: messages.createdAt, value: <Time value={webhook.createdAt} /> },
      ]}
    />
  );
}

function Reason({ text, at }: { readonly text: string; readonly at: string | undefined }): ReactNode {
  return (
    <>
      {text} {at !== undefined && <Time value={at} />}
    </>
  );
}
