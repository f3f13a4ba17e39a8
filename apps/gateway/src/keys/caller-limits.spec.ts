import { expect, it } from 'vitest';
import { newApiKey, visiblePrefix } from './api-key.js';
import { mayReachAgent, mayReachDatastore, refuseLimitedKey, type Caller } from '../access/caller.js';

const open: Caller = { organizationId: 'o', keyId: 'k', scopes: ['query'], limits: undefined };
const limited: Caller = { ...open, limits: { agentIds: ['a1'], datastoreIds: [] } };

it('lets a key without limits reach everything of its organization', () => {
  expect(mayReachAgent(open, 'a1')).toBe(true);
  expect(mayReachDatastore(open, 'd1')).toBe(true);
});

it('lets a limited key reach what it names and nothing else', () => {
  expect(mayReachAgent(limited, 'a1')).toBe(true);
  expect(mayReachAgent(limited, 'a2')).toBe(false);
  expect(mayReachDatastore(limited, 'd1')).toBe(false);
  expect(() => {
    refuseLimitedKey(limited);
  }).toThrow(/limited/);
});

it('makes keys of 256 random bits, and shows little of them', () => {
  const keys = Array.from({ length: 50 }, newApiKey);
  expect(new Set(keys).size).toBe(50);
  for (const key of keys) expect(key).toMatch(/^qk_[\w-]{43}$/);
  expect(visiblePrefix('qk_0123456789abcdef0123456789abcdef0123456789')).toBe('qk_0123456');
  expect(visiblePrefix('sixteen-letters!')).toBe('sixt');
});
