import type { Webhook } from '@quarry/client';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../components/status-badge.js';
import { useMessages } from '../../language/language-context.js';
import { webhooksMessages } from './messages.js';
import { getWebhookLabel } from './webhook-labels.js';

/** Shows whether a webhook receives events. */
export function WebhookStatus({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { tone, text } = getWebhookLabel(webhook, useMessages(webhooksMessages));
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
}
