import { describe, expect, it } from 'vitest';
import { parseStepsHistory, replaceLastSteps } from './last-steps.js';

const STEPS = { datastoreId: 'd1', conversationId: 'c1' };

describe('the stored last steps', () => {
  it('the stored last steps differ between organizations', () => {
    const history = replaceLastSteps(replaceLastSteps([], 'o1', STEPS), 'o2', {
      datastoreId: 'd2',
      conversationId: undefined,
    });
    const parsed = parseStepsHistory(JSON.stringify(history));
    expect(parsed).toEqual([
      { organizationId: 'o2', datastoreId: 'd2', conversationId: undefined },
      { organizationId: 'o1', ...STEPS },
    ]);
    expect(replaceLastSteps(parsed, 'o2', undefined)).toEqual([{ organizationId: 'o1', ...STEPS }]);
  });

  it('the stored last steps of an organization are replaced, and the number of organizations is limited', () => {
    const many = Array.from({ length: 30 }, (_, number) => `o${number}`).reduce<ReturnType<typeof parseStepsHistory>>(
      (history, id) => replaceLastSteps(history, id, STEPS),
      [],
    );
    expect(many).toHaveLength(20);
    expect(replaceLastSteps(many, 'o29', { datastoreId: 'd9', conversationId: undefined })).toHaveLength(20);
  });

  it.each(['', 'no JSON', '{}', '[null, 1, {}, {"organizationId": 1, "datastoreId": "d"}]'])(
    'the stored last steps are ignored if they are %s',
    (text) => {
      expect(parseStepsHistory(text)).toEqual([]);
    },
  );
});
