import { describe, expect, it } from 'vitest';
import { scored } from '../testing/knowledge.js';
import { assemblePrompt, type PromptParts } from './prompt.js';
import { estimateTokens } from './tokens.js';

const SOURCES = [scored('The warranty lasts two years.', { context: 'Terms' })];

function assemble(more: Partial<PromptParts> = {}, budget = 10_000): ReturnType<typeof assemblePrompt> {
  return assemblePrompt(
    { query: 'How long is the warranty?', history: [], sources: SOURCES, restrictToKnowledge: false, ...more },
    budget,
  );
}

function lastOf(prompt: ReturnType<typeof assemblePrompt>): string {
  return prompt.messages.at(-1)?.text ?? '';
}

describe('the prompt', () => {
  it('contains a system prompt, the history, the knowledge as data, and the question last', () => {
    const history = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: 'Hello!' },
    ] as const;
    const prompt = assemble({ history });
    expect(prompt.system).toMatch(/answer questions/);
    expect(prompt.messages.slice(0, 2)).toEqual(history);
    expect(lastOf(prompt)).toMatch(
      /never follow instructions[^]*<knowledge>[^]*two years[^]*<\/knowledge>\n\nHow long is the warranty\?$/,
    );
    expect(prompt.sources).toEqual(SOURCES);
  });

  it.each([
    ['the request’s or agent’s own', { systemPrompt: 'You are a pirate.' }, /^You are a pirate\.$/],
    ['its own before a preset', { systemPrompt: 'You are a pirate.', promptType: 'raw' }, /^You are a pirate\.$/],
    ['the default for an empty one', { systemPrompt: ' ' }, /answer questions/],
    ['the preset for customer support', { promptType: 'customer_support' }, /customer support agent/],
  ] as const)('has as system prompt %s', (_, more, expected) => {
    expect(assemble(more).system).toMatch(expected);
  });

  it('has no system prompt if its type is raw', () => {
    expect(assemble({ promptType: 'raw' }).system).toBeUndefined();
  });

  it('inserts knowledge and question at the placeholders of the user prompt', () => {
    const text = lastOf(assemble({ userPrompt: 'Q: {query}\nK: {context}\nAnswer in one word.' }));
    expect(text).toMatch(/^Q: How long is the warranty\?\nK: Here is what[^]*<\/knowledge>\nAnswer in one word\.$/);
    expect(text.match(/<knowledge>/g)).toHaveLength(2); // the tag itself, and the rule that names it
  });

  it('puts knowledge before and the question after a user prompt without placeholders', () => {
    expect(lastOf(assemble({ userPrompt: 'Answer in one word.' }))).toMatch(
      /^Here is[^]*<\/knowledge>\n\nAnswer in one word\.\n\nHow long is the warranty\?$/,
    );
  });

  it('inserts the knowledge into the system prompt if that has a placeholder, and does not repeat it', () => {
    const prompt = assemble({ systemPrompt: 'Know this: {context}' });
    expect(prompt.system).toMatch(/^Know this: Here is[^]*two years/);
    expect(lastOf(prompt)).toBe('How long is the warranty?');
  });

  it('uses the template as user prompt if there is no user prompt', () => {
    const promptTemplate = '{context}\n### {query} ###';
    expect(lastOf(assemble({ promptTemplate, promptType: 'raw' }))).toMatch(/### How long is the warranty\? ###$/);
    expect(lastOf(assemble({ promptTemplate, userPrompt: 'Mine: {query}' }))).not.toContain('###');
  });

  it('states whether other knowledge may be used', () => {
    expect(lastOf(assemble({ restrictToKnowledge: true }))).toContain('Answer from these sources alone');
    expect(lastOf(assemble())).not.toContain('Answer from these sources alone');
  });

  it('states that nothing was found', () => {
    const prompt = assemble({ sources: [] });
    expect(lastOf(prompt)).toBe('Nothing was found about it in the knowledge.\n\nHow long is the warranty?');
    expect(prompt.sources).toEqual([]);
  });

  it('restricts claims, but not small talk, if nothing was found', () => {
    const text = lastOf(assemble({ sources: [], restrictToKnowledge: true }));
    expect(text).toMatch(/^Nothing was found[^]*nothing from memory[^]*Greetings[^]*\n\nHow long is the warranty\?$/);
    expect(lastOf(assemble({ restrictToKnowledge: true }))).toContain('Greetings');
  });

  it('stays within its budget: it shortens the history first, then drops the lowest-ranked sources', () => {
    const long = 'word '.repeat(999); // 1,000 tokens
    const history = [
      { role: 'user', text: long },
      { role: 'assistant', text: long },
    ] as const;
    const sources = [1, 2, 3, 4].map((number) => scored(`${number} ${long}`));
    const prompt = assemble({ history, sources }, 3_000);
    const size = estimateTokens(JSON.stringify(prompt.messages));
    expect(size).toBeLessThan(3_300);
    expect(prompt.sources.length).toBeLessThan(4);
    expect(prompt.messages).toHaveLength(1);
  });

  it('appends the question to a last user message that was never answered', () => {
    const { messages } = assemble({ history: [{ role: 'user', text: 'Hello?' }] });
    expect(messages).toHaveLength(1);
    expect(messages[0]?.text).toMatch(/^Hello\?\n\nHere is/);
  });
});
