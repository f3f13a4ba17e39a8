import type { Agent } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { buildAgentUpdate, createAgentDraft, isCompleteDraft, parseModelName } from './agent-draft.js';

const AGENT: Agent = {
  ...{ id: 'a', name: 'Support', description: null, datastoreIds: ['d'], systemPrompt: null, userPrompt: null },
  ...{ restrictToKnowledge: true, citationMarks: false, temperature: 0 },
  ...{ createdAt: '2026-11-23T10:00:00Z', updatedAt: '2026-11-23T10:00:00Z' },
};

describe('the draft of an agent', () => {
  it('buildAgentUpdate sends only the settings that the user has changed, and resets an emptied setting', () => {
    const draft = createAgentDraft(AGENT);
    expect(buildAgentUpdate(draft, draft)).toEqual({});
    expect(buildAgentUpdate(draft, { ...draft, name: ' Sales ' })).toEqual({ name: 'Sales' });
    expect(buildAgentUpdate(draft, { ...draft, temperature: '', datastoreIds: ['d', 'e'] })).toEqual({
      temperature: null,
      datastoreIds: ['d', 'e'],
    });
  });

  it('buildAgentUpdate sends a number that the user changes to 0', () => {
    const draft = createAgentDraft(AGENT);
    expect(buildAgentUpdate({ ...draft, temperature: '1' }, draft)).toEqual({ temperature: 0 });
  });

  it('buildAgentUpdate parses numbers with a decimal point or a decimal comma', () => {
    const draft = { ...createAgentDraft(AGENT), temperature: '0,3', topP: ' 0.9 ' };
    expect(buildAgentUpdate(createAgentDraft(AGENT), draft)).toEqual({ temperature: 0.3, topP: 0.9 });
  });

  it.each([{ temperature: '0.3.1' }, { maxTokens: '5OO' }, { maxTokens: '1.000' }, { name: ' ' }])(
    'isCompleteDraft returns false for a draft with the mistyped setting %j',
    (mistyped) => {
      expect(isCompleteDraft(createAgentDraft(AGENT))).toBe(true);
      expect(isCompleteDraft({ ...createAgentDraft(AGENT), ...mistyped })).toBe(false);
    },
  );

  it('buildAgentUpdate throws for a mistyped number, because null would reset the setting', () => {
    const draft = createAgentDraft(AGENT);
    expect(() => buildAgentUpdate(draft, { ...draft, topP: '0.9x' })).toThrow(RangeError);
  });

  it('parseModelName returns a known model name unchanged, and an empty string for an unknown name', () => {
    expect([parseModelName('gpt_4o'), parseModelName('x')]).toEqual(['gpt_4o', '']);
  });
});
