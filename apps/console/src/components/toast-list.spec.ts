import { describe, expect, it } from 'vitest';
import { addToast, getToastDisplayMs, type ShownToast, type Toast } from './toast-list.js';

function createToast(text: string, options: Omit<Toast, 'text'> = {}): Toast {
  return { text: () => text, ...options };
}

function addToasts(...toasts: readonly Toast[]): readonly string[] {
  const none: readonly ShownToast[] = [];
  return toasts.reduce((shown, toast, id) => addToast(shown, { ...toast, id }), none).map(({ text }) => text('en'));
}

describe('getToastDisplayMs', () => {
  it('getToastDisplayMs returns undefined for a failure, 5 s for other toasts, and 10 s for a toast with undo', () => {
    expect(getToastDisplayMs(createToast('The event was not sent.', { kind: 'danger' }))).toBeUndefined();
    expect(getToastDisplayMs(createToast('Saved.'))).toBe(5_000);
    expect(getToastDisplayMs(createToast('Deleted.', { onUndo: () => undefined }))).toBe(10_000);
  });
});

describe('addToast', () => {
  it('addToast removes the oldest toast if more than three toasts are shown', () => {
    expect(addToasts(createToast('1'), createToast('2'), createToast('3'), createToast('4'))).toEqual(['2', '3', '4']);
  });

  it('if too many toasts are shown, addToast removes other toasts, but no toast of a failure', () => {
    const failures = ['1', '2', '3'].map((text) => createToast(text, { kind: 'danger' }));
    expect(addToasts(createToast('0'), ...failures, createToast('4'), createToast('5'))).toEqual(['1', '2', '3', '5']);
  });

  it('if a failure occurs again, addToast replaces the earlier toast of the failure', () => {
    const createFailure = (): Toast => createToast('Unreachable.', { kind: 'danger' });
    expect(addToasts(createFailure(), createToast('Saved.'), createFailure())).toEqual(['Saved.', 'Unreachable.']);
  });
});
