import { describe, expect, it } from 'vitest';
import { parseSteps, replaceSteps } from './last-steps.js';

const STEPS = { datastoreId: 'd1', conversationId: 'c1' };

describe('the stored last steps', () => {
  it('the stored last steps differ between organizations', () => {
    const history = replaceSteps(replaceSteps([], 'o1', STEPS), 'o2', { datastoreId: 'd2', conversationId: undefined });
    const parsed = parseSteps(JSON.stringify(history));
    expect(parsed).toEqual([
      { organizationId: 'o2', datastoreId: 'd2', conversationId: undefined },
      { organizationId: 'o1', ...STEPS },
    ]);
    expect(replaceSteps(parsed, 'o2', undefined)).toEqual([{ organizationId: 'o1', ...STEPS }]);
  });

  it('the stored last steps of an organization are replaced, and those of many organizations are limited', () => {
    const many = Array.from({ length: 30 }, (_, number) => `o${number}`).reduce<ReturnType<typeof parseSteps>>(
      (history, id) => replaceSteps(history, id, STEPS),
      [],
    );
    expect(many).toHaveLength(20);
    expect(replaceSteps(many, 'o29', { datastoreId: 'd9', conversationId: undefined })).toHaveLength(20);
  });

  it.each(['', 'no JSON', '{}', '[null, 1, {}, {"organizationId": 1, "datastoreId": "d"}]'])(
    'the stored last steps are ignored if they are %s',
    (text) => {
      expect(parseSteps(text)).toEqual([]);
    },
  );
});
