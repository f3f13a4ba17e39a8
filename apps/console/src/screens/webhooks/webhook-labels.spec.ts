import { describe, expect, it } from 'vitest';
import { deliveryMessages } from './delivery-messages.js';
import { webhooksMessages } from './messages.js';
import { getDeliveryLabel, getWebhookLabel } from './webhook-labels.js';

const AT = '2026-11-23T12:00:00.000Z';

describe('getWebhookLabel', () => {
  it.each([
    [{ enabled: true, disabledReason: null, failingSince: null }, 'success', undefined],
    [{ enabled: true, disabledReason: null, failingSince: AT }, 'warning', undefined],
    [{ enabled: false, disabledReason: null, failingSince: null }, 'neutral', webhooksMessages.en.disabledByYou],
    [
      { enabled: false, disabledReason: { code: 'receiver_gone', message: '', at: AT }, failingSince: null },
      'danger',
      webhooksMessages.en.goneReason,
    ],
    [
      { enabled: false, disabledReason: { code: 'receiver_failing', message: '', at: AT }, failingSince: AT },
      'danger',
      webhooksMessages.en.failingReason,
    ],
  ] as const)(
    'for the webhook %j, getWebhookLabel returns the tone “%s”, and the reason if the webhook is disabled',
    (webhook, tone, reason) => {
      expect(getWebhookLabel(webhook, webhooksMessages.en)).toMatchObject({ tone, ...(reason && { reason }) });
    },
  );
});

describe('getDeliveryLabel', () => {
  it('getDeliveryLabel returns the reason of a failed delivery in the language of the given messages', () => {
    const failed = { state: 'failed', failure: 'receiver_gone' } as const;
    expect(getDeliveryLabel(failed, deliveryMessages.de)).toEqual({
      tone: 'danger',
      text: 'Fehlgeschlagen',
      reason: 'Der Server hat mit 410 (Gone) geantwortet.',
    });
  });

  it('getDeliveryLabel returns no reason for a waiting delivery', () => {
    expect(getDeliveryLabel({ state: 'waiting', failure: null }, deliveryMessages.en)).toEqual({
      tone: 'info',
      text: 'Waiting',
    });
  });
});
