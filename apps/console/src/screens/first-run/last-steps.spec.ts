import { describe, expect, it } from 'vitest';
import { parseStepsHistory, replaceLastSteps } from './last-steps.js';

const STEPS = { datastoreId: 'd1', conversationId: 'c1' };

describe('the stored last steps', () => {
  it('replaceLastSteps stores or removes the last steps of one organization, and keeps the last steps of other organizations', () => {
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

  it('parseStepsHistory returns the id of the running answer that replaceLastSteps stored', () => {
    const history = replaceLastSteps([], 'o1', { ...STEPS, runningMessageId: 'm1' });
    expect(parseStepsHistory(JSON.stringify(history))).toEqual([
      { organizationId: 'o1', ...STEPS, runningMessageId: 'm1' },
    ]);
  });

  it('replaceLastSteps stores the last steps of at most 20 organizations, with one entry per organization', () => {
    const many = Array.from({ length: 30 }, (_, number) => `o${number}`).reduce<ReturnType<typeof parseStepsHistory>>(
      (history, id) => replaceLastSteps(history, id, STEPS),
      [],
    );
    expect(many).toHaveLength(20);
    expect(replaceLastSteps(many, 'o29', { datastoreId: 'd9', conversationId: undefined })).toHaveLength(20);
  });

  it.each(['', 'no JSON', '{}', '[null, 1, {}, {"organizationId": 1, "datastoreId": "d"}]'])(
    'parseStepsHistory returns an empty history for the invalid text “%s”',
    (text) => {
      expect(parseStepsHistory(text)).toEqual([]);
    },
  );
});
