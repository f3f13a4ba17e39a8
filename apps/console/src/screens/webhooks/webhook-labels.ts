import type { Webhook, WebhookDelivery } from '@quarry/client';
import type { StatusTone } from '../../components/status-badge.js';
import type { deliveryMessages } from './delivery-messages.js';
import type { webhooksMessages } from './messages.js';

type Messages = (typeof webhooksMessages)['en'];
type DeliveryMessages = (typeof deliveryMessages)['en'];

/** Returns the display name of an event type. */
export function getEventLabel(type: WebhookDelivery['type'], messages: Messages): string {
  const names: Readonly<Record<WebhookDelivery['type'], string>> = {
    'datasource.synched': messages.synched,
    'datasource.error': messages.failed,
    'datasource.usage_limit_reached': messages.limitReached,
    'webhook.test': messages.test,
  };
  return names[type];
}

/** The color and text of the status of a webhook or delivery, with its reason if there is one. */
export interface StatusLabel {
  readonly tone: StatusTone;
  readonly text: string;
  readonly reason?: string;
}

/** Returns the label that states whether a webhook receives events, and if it does not, the reason. */
export function getWebhookLabel(
  { enabled, disabledReason, failingSince }: Pick<Webhook, 'enabled' | 'disabledReason' | 'failingSince'>,
  messages: Messages,
): StatusLabel {
  if (enabled && failingSince === null) return { tone: 'success', text: messages.active };
  if (enabled) return { tone: 'warning', text: messages.failing };
  if (disabledReason === null) return { tone: 'neutral', text: messages.disabled, reason: messages.disabledByYou };
  const reasons = { receiver_gone: messages.goneReason, receiver_failing: messages.failingReason };
  return { tone: 'danger', text: messages.disabled, reason: reasons[disabledReason.code] };
}

/** Returns the label for the state of a delivery, with the reason if it failed. */
export function getDeliveryLabel(
  { state, failure }: Pick<WebhookDelivery, 'state' | 'failure'>,
  messages: DeliveryMessages,
): StatusLabel {
  if (state === 'waiting') return { tone: 'info', text: messages.waiting };
  if (state === 'delivered') return { tone: 'success', text: messages.delivered };
  if (failure === null) return { tone: 'danger', text: messages.failed };
  const reasons = {
    attempts_exhausted: messages.exhausted,
    receiver_gone: messages.gone,
    address_refused: messages.refused,
  };
  return { tone: 'danger', text: messages.failed, reason: reasons[failure] };
}
