import type { Organization, QuarryClient } from '@quarry/client';

/**
 * The texts in the form of an organization. An empty limit means no limit; an empty `jobWeight` means the default
 * weight.
 */
export interface OrganizationDraft {
  readonly name: string;
  readonly agentQueriesPerMonth: string;
  readonly storedTokens: string;
  readonly concurrentJobs: string;
  readonly jobWeight: string;
  readonly conversationRetentionDays: string;
}

export type NumberField = Exclude<keyof OrganizationDraft, 'name'>;

/**
 * Converts an organization to the texts of its form. For undefined, returns the default texts of a new organization.
 */
export function createOrganizationDraft(organization: Organization | undefined): OrganizationDraft {
  const limits = organization?.limits;
  const toText = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : String(value);
  return {
    name: organization?.name ?? '',
    agentQueriesPerMonth: toText(limits?.agentQueriesPerMonth),
    storedTokens: toText(limits?.storedTokens),
    concurrentJobs: toText(limits?.concurrentJobs),
    jobWeight: toText(limits?.jobWeight ?? 1),
    conversationRetentionDays: toText(organization?.conversationRetentionDays),
  };
}

/** Returns true if the text of a limit is empty or a whole number. */
export function isValidLimitText(text: string): boolean {
  return /^\d*$/.test(text.trim());
}

type OrganizationRequest = Parameters<QuarryClient['createOrganization']>[0];

/** Builds the request that creates or changes an organization from the texts of the form. */
export function buildOrganizationRequest(draft: OrganizationDraft): OrganizationRequest {
  const toLimit = (text: string): number | null => (text.trim() === '' ? null : Number(text));
  return {
    name: draft.name.trim(),
    limits: {
      agentQueriesPerMonth: toLimit(draft.agentQueriesPerMonth),
      storedTokens: toLimit(draft.storedTokens),
      concurrentJobs: toLimit(draft.concurrentJobs),
      jobWeight: toLimit(draft.jobWeight),
    },
    conversationRetentionDays: toLimit(draft.conversationRetentionDays),
  };
}
