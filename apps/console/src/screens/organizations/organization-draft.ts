import type { Organization, QuarryClient } from '@quarry/client';
import { isNumberText, parseNumberText } from '../../components/number-text.js';

/**
 * The texts in the fields of the form that creates or edits an organization. An empty limit means no limit; an empty
 * `jobWeight` means the default weight.
 */
export interface OrganizationDraft {
  readonly name: string;
  readonly agentQueriesPerMonth: string;
  readonly storedTokens: string;
  readonly concurrentJobs: string;
  readonly jobWeight: string;
  readonly conversationRetentionDays: string;
}

export type LimitName = Exclude<keyof OrganizationDraft, 'name'>;

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

/** Returns true if `buildOrganizationRequest` can build a request from the draft. */
export function isCompleteOrganization({ name, ...numbers }: OrganizationDraft): boolean {
  return name.trim() !== '' && Object.values(numbers).every((text) => isNumberText(text, 'whole'));
}

type OrganizationRequest = Parameters<QuarryClient['createOrganization']>[0];

/**
 * Builds the request that creates or changes an organization from the texts of the form.
 *
 * @throws RangeError if a limit is not a whole number
 */
export function buildOrganizationRequest(draft: OrganizationDraft): OrganizationRequest {
  return {
    name: draft.name.trim(),
    limits: {
      agentQueriesPerMonth: parseNumberText(draft.agentQueriesPerMonth, 'whole'),
      storedTokens: parseNumberText(draft.storedTokens, 'whole'),
      concurrentJobs: parseNumberText(draft.concurrentJobs, 'whole'),
      jobWeight: parseNumberText(draft.jobWeight, 'whole'),
    },
    conversationRetentionDays: parseNumberText(draft.conversationRetentionDays, 'whole'),
  };
}
