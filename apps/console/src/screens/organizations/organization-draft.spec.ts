import { expect, it } from 'vitest';
import {
  buildOrganizationRequest,
  buildOrganizationUpdate,
  createOrganizationDraft,
  isCompleteOrganization,
} from './organization-draft.js';

const ORGANIZATION = {
  id: 'o1',
  name: 'Acme',
  limits: { agentQueriesPerMonth: 1_000, storedTokens: null, concurrentJobs: 4, jobWeight: 2 },
  conversationRetentionDays: 30,
  createdAt: '2026-11-23T12:00:00.000Z',
};

it('buildOrganizationRequest returns all settings of the form', () => {
  const { name, limits, conversationRetentionDays } = ORGANIZATION;
  expect(buildOrganizationRequest(createOrganizationDraft(ORGANIZATION))).toEqual({
    name,
    limits,
    conversationRetentionDays,
  });
});

it('buildOrganizationUpdate omits the settings that the user has not changed', () => {
  const stored = createOrganizationDraft(ORGANIZATION);
  expect(buildOrganizationUpdate(stored, { ...stored, name: ' Acme ' })).toEqual({ limits: {} });
  expect(buildOrganizationUpdate(stored, { ...stored, name: 'Acme Ltd', concurrentJobs: '' })).toEqual({
    name: 'Acme Ltd',
    limits: { concurrentJobs: null },
  });
});

it('buildOrganizationRequest returns null for an empty limit and for an empty retention period', () => {
  const request = buildOrganizationRequest({
    ...createOrganizationDraft(ORGANIZATION),
    concurrentJobs: ' ',
    conversationRetentionDays: '',
  });
  expect(request).toMatchObject({ limits: { concurrentJobs: null }, conversationRetentionDays: null });
});

it.each([
  ['', true],
  ['250000', true],
  ['1,5', false],
  ['-1', false],
  ['many', false],
])('isCompleteOrganization accepts only an empty text or a whole number as a limit: %j', (text, isComplete) => {
  expect(isCompleteOrganization({ ...createOrganizationDraft(ORGANIZATION), storedTokens: text })).toBe(isComplete);
});
