import { describe, expect, it } from 'vitest';
import { findDefinedSubject } from './defined-subject.js';

describe('findDefinedSubject', () => {
  it.each([
    ['A glacier is a body of ice that moves.', 'A glacier'],
    ['The harvest moon was full.', 'The harvest moon'],
    ['Ein Gletscher ist eine Masse aus Eis.', 'Ein Gletscher'],
    ['Un glacier est une masse de glace.', 'Un glacier'],
    ['冰川是巨大的冰体。', '冰川'],
    ['氷河とは大きな氷の塊である。', '氷河'],
  ])('findDefinedSubject returns the subject of %j', (sentence, subject) => {
    expect(findDefinedSubject(sentence)).toBe(subject);
  });

  it.each([
    'Glaciers move slowly.',
    'In spring, a glacier is wet.',
    'Der Gletscher fließt ins Tal.',
    'To ski on a glacier',
    'A glacier that is melting shrinks.',
    'Un glacier qui est mince fond.',
  ])('findDefinedSubject returns undefined for %j, which defines nothing', (sentence) => {
    expect(findDefinedSubject(sentence)).toBeUndefined();
  });
});
