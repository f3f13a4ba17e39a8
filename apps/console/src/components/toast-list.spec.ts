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
  it('getToastDisplayMs returns undefined for the toast of a failure, 10,000 ms for a toast with `onUndo`, and 5,000 ms for any other toast', () => {
    expect(getToastDisplayMs(createToast('The event was not sent.', { kind: 'danger' }))).toBeUndefined();
    expect(getToastDisplayMs(createToast('Saved.'))).toBe(5_000);
    expect(getToastDisplayMs(createToast('Deleted.', { onUndo: () => undefined }))).toBe(10_000);
  });
});

describe('addToast', () => {
  it('addToast removes the oldest toast if there would be more than three toasts', () => {
    expect(addToasts(createToast('1'), createToast('2'), createToast('3'), createToast('4'))).toEqual(['2', '3', '4']);
  });

  it('if there would be more than three toasts, addToast removes no toast that reports a failure, but the oldest other toasts', () => {
    const failures = ['1', '2', '3'].map((text) => createToast(text, { kind: 'danger' }));
    expect(addToasts(createToast('0'), ...failures, createToast('4'), createToast('5'))).toEqual(['1', '2', '3', '5']);
  });

  it('addToast replaces the shown toast of a failure by a new failure toast with the same text', () => {
    const createFailure = (): Toast => createToast('Unreachable.', { kind: 'danger' });
    expect(addToasts(createFailure(), createToast('Saved.'), createFailure())).toEqual(['Saved.', 'Unreachable.']);
  });
});
