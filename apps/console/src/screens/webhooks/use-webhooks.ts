import type { QuarryClient, Webhook } from '@quarry/client';
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { refreshQueries } from '../../api/refresh-queries.js';
import { useClient } from '../../api/client-context.js';
import { usePages, type Pages } from '../../api/use-pages.js';
import { pickChanges } from '../../components/use-draft.js';

/** The first part of all cache keys for webhook data. */
export const WEBHOOKS = ['webhooks'] as const;
const REFRESH_MS = 5_000;

/** The events that a webhook can receive. */
export const WEBHOOK_EVENTS = ['datasource.synched', 'datasource.error', 'datasource.usage_limit_reached'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Loads the webhooks page by page. */
export function useWebhooks(): Pages<Webhook> {
  const client = useClient();
  return usePages(WEBHOOKS, async (cursor, signal) =>
    client.listWebhooks({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
}

/** Loads a webhook, and refreshes it at intervals. */
export function useWebhook(id: string): UseQueryResult<Webhook> {
  const client = useClient();
  return useQuery({
    queryKey: [...WEBHOOKS, id],
    queryFn: async ({ signal }) => client.getWebhook(id, { signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** The secret of a new webhook, or the new secret of an existing one. The API returns it only once. */
export interface ShownSecret {
  readonly secret: string;
  /**
   * Time until which webhook requests are also signed with the previous secret, in ISO 8601. Null: they are signed only
   * with the new secret.
   */
  readonly previousSecretExpiresAt: string | null;
  readonly isNew: boolean;
}

/** The address and the events of a webhook, as entered in the form. */
export interface WebhookDraft {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
}

/** Returns the values of a webhook's form; for undefined, those of a new webhook. */
export function createWebhookDraft(webhook: Webhook | undefined): WebhookDraft {
  return { url: webhook?.url ?? '', events: webhook?.events ?? WEBHOOK_EVENTS };
}

/**
 * Changes a webhook; for undefined, creates one. Sends only what the user has changed, because another user may have
 * changed the rest in the meantime. The mutation resolves to the secret of a new webhook; to undefined after a change.
 */
export function useSaveWebhook(
  webhook: Webhook | undefined,
): UseMutationResult<ShownSecret | undefined, Error, WebhookDraft> {
  const client = useClient();
  return useWebhookMutation(async (draft: WebhookDraft) => {
    const request = buildWebhookRequest(draft);
    if (webhook === undefined) {
      const { secret } = await client.createWebhook(request);
      return { secret, previousSecretExpiresAt: null, isNew: true };
    }
    await client.updateWebhook(webhook.id, pickChanges(buildWebhookRequest(createWebhookDraft(webhook)), request));
    return undefined;
  });
}

function buildWebhookRequest({ url, events }: WebhookDraft): Parameters<QuarryClient['createWebhook']>[0] {
  return { url: url.trim(), events: [...events] };
}

/** Enables or disables a webhook. */
export function useEnableWebhook(): UseMutationResult<Webhook, Error, Pick<Webhook, 'id' | 'enabled'>> {
  const client = useClient();
  return useWebhookMutation(async ({ id, enabled }) => client.updateWebhook(id, { enabled }));
}

/** Deletes a webhook. */
export function useDeleteWebhook(): UseMutationResult<void, Error, Webhook> {
  const client = useClient();
  return useWebhookMutation(async ({ id }: Webhook) => client.deleteWebhook(id));
}

/** Replaces the secret of a webhook. */
export function useRotateSecret(
  id: string,
): UseMutationResult<ShownSecret, Error, { readonly revokesPrevious: boolean }> {
  const client = useClient();
  return useWebhookMutation(async ({ revokesPrevious }) => {
    type Query = Parameters<QuarryClient['rotateWebhookSecret']>[1];
    const query: Query = revokesPrevious ? { revokePrevious: true } : {};
    return { ...(await client.rotateWebhookSecret(id, query)), isNew: false };
  });
}

/** Returns a mutation that calls `change`, and afterwards reloads all data about webhooks. */
export function useWebhookMutation<Request, Result>(
  change: (request: Request) => Promise<Result>,
): UseMutationResult<Result, Error, Request> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => refreshQueries(queries, { queryKey: WEBHOOKS }),
  });
}
