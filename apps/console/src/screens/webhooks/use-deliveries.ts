import type { QuarryClient, WebhookDelivery, WebhookDeliveryDetail } from '@quarry/client';
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';
import { useWebhookMutation, WEBHOOKS } from './use-webhooks.js';

type Filter = NonNullable<Parameters<QuarryClient['listWebhookDeliveries']>[1]>;
/** Selects deliveries by their state and the type of their event. */
export type DeliveryFilter = Pick<Filter, 'state' | 'type'>;

const BUSY_MS = 1_500;
const IDLE_MS = 10_000;

/**
 * Loads the deliveries of a webhook, the newest first. The list is refreshed more often while it contains a waiting
 * delivery.
 */
export function useDeliveries(id: string, filter: DeliveryFilter): Pages<WebhookDelivery> {
  const client = useClient();
  return usePages(
    [...WEBHOOKS, id, 'deliveries', filter],
    async (cursor, signal) =>
      client.listWebhookDeliveries(
        id,
        { ...filter, limit: 25, ...(cursor === undefined ? {} : { cursor }) },
        { signal },
      ),
    { refetchMs: (items) => (items.some(({ state }) => state === 'waiting') ? BUSY_MS : IDLE_MS) },
  );
}

/** Loads a delivery with its HTTP request. Refreshes it while the delivery waits for its next attempt. */
export function useDelivery(id: string, deliveryId: string): UseQueryResult<WebhookDeliveryDetail> {
  const client = useClient();
  return useQuery({
    queryKey: [...WEBHOOKS, id, 'delivery', deliveryId],
    queryFn: async ({ signal }) => client.getWebhookDelivery(id, deliveryId, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? BUSY_MS : false),
  });
}

/** Sends a test event to a webhook. */
export function useTestWebhook(id: string): UseMutationResult<WebhookDelivery, Error, void> {
  const client = useClient();
  return useWebhookMutation(async () => client.testWebhook(id));
}

/** Sends the event of a delivery again. The variable of the mutation is the id of the delivery. */
export function useResendDelivery(id: string): UseMutationResult<WebhookDelivery, Error, string> {
  const client = useClient();
  return useWebhookMutation(async (deliveryId: string) => client.resendWebhookDelivery(id, deliveryId));
}

/** Selects the events of a webhook that are sent again, by their time and by the state of their delivery. */
export interface ResendRequest {
  /** The earliest time of the events, in ISO 8601. */
  readonly since: string;
  /** The state of the deliveries. Undefined: both states. */
  readonly state: 'delivered' | 'failed' | undefined;
}

/**
 * Resends all events of the webhook `id` that the variable of the mutation selects. The mutation resolves to the number
 * of resent events.
 */
export function useResendDeliveries(id: string): UseMutationResult<number, Error, ResendRequest> {
  const client = useClient();
  return useWebhookMutation(async ({ since, state }: ResendRequest) => {
    let resent = 0;
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<QuarryClient['resendWebhookDeliveries']>> = await client.resendWebhookDeliveries(
        id,
        {
          since,
          ...(state === undefined ? {} : { state }),
          ...(cursor === null ? {} : { cursor }),
        },
      );
      resent += page.resent;
      cursor = page.next_cursor;
    } while (cursor !== null);
    return resent;
  });
}
