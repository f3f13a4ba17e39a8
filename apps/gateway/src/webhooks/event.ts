import type { DeliverWebhook, WebhookEvent, WebhookTestEvent } from '@quarry/contracts';

/** Returns the event of a delivery. Its JSON is the body of the request to the receiver. */
export function getDeliveredEvent({
  event,
  testEvent,
}: Pick<DeliverWebhook, 'event' | 'testEvent'>): WebhookEvent | WebhookTestEvent {
  const found = testEvent ?? event;
  if (found === undefined) throw new Error('expected an event or a test event in the job of a delivery, found neither');
  return found;
}
