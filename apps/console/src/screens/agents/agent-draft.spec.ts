import type { Agent } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { buildAgentUpdate, createAgentDraft, isCompleteDraft, parseModelName } from './agent-draft.js';

const AGENT: Agent = {
  ...{ id: 'a', name: 'Support', description: null, datastoreIds: ['d'], systemPrompt: null, userPrompt: null },
  ...{ restrictToKnowledge: true, citationMarks: false, temperature: 0 },
  ...{ createdAt: '2026-11-23T10:00:00Z', updatedAt: '2026-11-23T10:00:00Z' },
};

describe('the draft of an agent', () => {
  it('for an unchanged draft, buildAgentUpdate returns the current settings of the agent, including a setting with the value 0', () => {
    expect(buildAgentUpdate(createAgentDraft(AGENT))).toEqual({
      ...{ name: 'Support', description: null, datastoreIds: ['d'], restrictToKnowledge: true, citationMarks: false },
      ...{
        modelName: null,
        temperature: 0,
        maxTokens: null,
        topP: null,
        presencePenalty: null,
        frequencyPenalty: null,
      },
    });
  });

  it('buildAgentUpdate parses numbers with a decimal point or a decimal comma', () => {
    const draft = { ...createAgentDraft(AGENT), temperature: '0,3', topP: ' 0.9 ' };
    expect(buildAgentUpdate(draft)).toMatchObject({ temperature: 0.3, topP: 0.9 });
  });

  it.each([{ temperature: '0.3.1' }, { maxTokens: '5OO' }, { maxTokens: '1.000' }, { name: ' ' }])(
    'isCompleteDraft returns false for a draft with the mistyped setting %j',
    (mistyped) => {
      expect(isCompleteDraft(createAgentDraft(AGENT))).toBe(true);
      expect(isCompleteDraft({ ...createAgentDraft(AGENT), ...mistyped })).toBe(false);
    },
  );

  it('buildAgentUpdate throws for a mistyped number, because null would reset the setting', () => {
    expect(() => buildAgentUpdate({ ...createAgentDraft(AGENT), topP: '0.9x' })).toThrow(RangeError);
  });

  it('parseModelName returns a known model name unchanged, and an empty string for an unknown name', () => {
    expect([parseModelName('gpt_4o'), parseModelName('x')]).toEqual(['gpt_4o', '']);
  });
});
