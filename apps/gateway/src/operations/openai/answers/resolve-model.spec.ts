import { describe, expect, it } from 'vitest';
import { buildAgentSlug } from './resolve-model.js';

describe('buildAgentSlug', () => {
  it.each([
    ['Küche & Bad', 'küche-bad'],
    ['Cafe\u0301 Bot', 'café-bot'],
    ['हिन्दी सहायक', 'हिन्दी-सहायक'],
    ['ผู้ช่วย ร้านค้า', 'ผู้ช่วย-ร้านค้า'],
  ])('buildAgentSlug converts the name %s to the slug %s', (name, slug) => {
    expect(buildAgentSlug(name)).toBe(slug);
  });
});
