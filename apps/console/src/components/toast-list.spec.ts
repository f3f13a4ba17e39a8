import { describe, expect, it } from 'vitest';
import { addToast, getDisplayMs, type ShownToast, type Toast } from './toast-list.js';

function addToasts(...toasts: readonly Toast[]): readonly string[] {
  const none: readonly ShownToast[] = [];
  return toasts.reduce((shown, toast, id) => addToast(shown, { ...toast, id }), none).map(({ text }) => text);
}

describe('getDisplayMs', () => {
  it('getDisplayMs returns undefined for failures, which stay until they are dismissed, and some seconds for others', () => {
    expect(getDisplayMs({ text: 'The event was not sent.', kind: 'danger' })).toBeUndefined();
    expect(getDisplayMs({ text: 'Saved.' })).toBe(5_000);
    expect(getDisplayMs({ text: 'Deleted.', onUndo: () => undefined })).toBe(10_000);
  });
});

describe('addToast', () => {
  it('addToast removes the oldest toast if there are more than three', () => {
    expect(addToasts({ text: '1' }, { text: '2' }, { text: '3' }, { text: '4' })).toEqual(['2', '3', '4']);
  });

  it('addToast removes no failure for later toasts', () => {
    const failures = ['1', '2', '3'].map((text) => ({ text, kind: 'danger' as const }));
    expect(addToasts({ text: '0' }, ...failures, { text: '4' }, { text: '5' })).toEqual(['1', '2', '3', '5']);
  });

  it('addToast shows a repeated failure once', () => {
    const failure = { text: 'Unreachable.', kind: 'danger' } as const;
    expect(addToasts(failure, { text: 'Saved.' }, failure)).toEqual(['Saved.', 'Unreachable.']);
  });
});
