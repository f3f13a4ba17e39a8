import { expect, it } from 'vitest';
import { generateApiKey, getVisiblePrefix } from './key-repository.js';
import { canAccessAgent, canAccessDatastore, requireUnrestrictedKey, type Caller } from '../access/caller.js';

const unlimited: Caller = { organizationId: 'o', keyId: 'k', scopes: ['query'], limits: undefined };
const limited: Caller = { ...unlimited, limits: { agentIds: ['a1'], datastoreIds: [] } };

it('an API key without limits can access all agents and datastores', () => {
  expect(canAccessAgent(unlimited, 'a1')).toBe(true);
  expect(canAccessDatastore(unlimited, 'd1')).toBe(true);
});

it('an API key that is limited to certain agents and datastores can access no other agents and datastores', () => {
  expect(canAccessAgent(limited, 'a1')).toBe(true);
  expect(canAccessAgent(limited, 'a2')).toBe(false);
  expect(canAccessDatastore(limited, 'd1')).toBe(false);
  expect(() => {
    requireUnrestrictedKey(limited);
  }).toThrow(/limited/);
});

it('generateApiKey returns keys with 256 random bits, and getVisiblePrefix returns only a short prefix of a key', () => {
  const keys = Array.from({ length: 50 }, generateApiKey);
  expect(new Set(keys).size).toBe(50);
  for (const key of keys) expect(key).toMatch(/^qk_[\w-]{43}$/);
  expect(getVisiblePrefix('qk_0123456789abcdef0123456789abcdef0123456789')).toBe('qk_0123456');
  expect(getVisiblePrefix('sixteen-letters!')).toBe('sixt');
});
