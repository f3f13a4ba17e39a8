import type { Organization, QuarryClient } from '@quarry/client';
import { isNumberText, parseNumberText } from '../../components/number-text.js';
import { pickChanges } from '../../components/use-draft.js';

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

/** Returns true if all texts of the draft are valid. */
export function isCompleteOrganization({ name, ...numbers }: OrganizationDraft): boolean {
  return name.trim() !== '' && Object.values(numbers).every((text) => isNumberText(text, 'whole'));
}

type OrganizationRequest = Parameters<QuarryClient['createOrganization']>[0];
type OrganizationUpdate = Parameters<QuarryClient['updateOrganization']>[1];

/**
 * Builds the request that creates an organization from the texts of the form.
 *
 * @throws RangeError if a limit is not a whole number
 */
export function buildOrganizationRequest(draft: OrganizationDraft): OrganizationRequest {
  return { ...parseSettings(draft), limits: parseLimits(draft) };
}

/**
 * Builds the request that changes an organization. Omits the settings that the user has not changed, because another
 * user may have changed them in the meantime.
 *
 * @throws RangeError if a limit is not a whole number
 */
export function buildOrganizationUpdate(stored: OrganizationDraft, draft: OrganizationDraft): OrganizationUpdate {
  return {
    ...pickChanges(parseSettings(stored), parseSettings(draft)),
    limits: pickChanges(parseLimits(stored), parseLimits(draft)),
  };
}

function parseSettings({
  name,
  conversationRetentionDays,
}: OrganizationDraft): Pick<OrganizationRequest, 'name' | 'conversationRetentionDays'> {
  return { name: name.trim(), conversationRetentionDays: parseNumberText(conversationRetentionDays, 'whole') };
}

function parseLimits(draft: OrganizationDraft): NonNullable<OrganizationRequest['limits']> {
  return {
    agentQueriesPerMonth: parseNumberText(draft.agentQueriesPerMonth, 'whole'),
    storedTokens: parseNumberText(draft.storedTokens, 'whole'),
    concurrentJobs: parseNumberText(draft.concurrentJobs, 'whole'),
    jobWeight: parseNumberText(draft.jobWeight, 'whole'),
  };
}
