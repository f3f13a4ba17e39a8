import { findFocusSuccessor } from './find-focus-successor.js';

/**
 * Starts to move the focus to the nearest control whenever the focused element is removed, for example with the row of
 * a deleted item. Browsers would move the focus to the body, and Tab would then start again at the top of the page.
 * Also moves the focus when a dialog closes and the element to which the focus would return was removed.
 *
 * @returns a function that ends the focus recovery
 */
export function startFocusRecovery(): () => void {
  // The element that last had the focus in each scope. A scope is an open dialog, the toasts, or the rest of the page.
  const places = new Map<Element, HTMLElement>();
  const rememberFocusedElement = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement) places.set(findFocusScope(target), target);
  };
  /**
   * Deletes the stored focused element when the user clicks outside it, because the user then moves the focus
   * intentionally.
   */
  const forgetFocusedElement = ({ target }: PointerEvent): void => {
    if (!(target instanceof Element)) return;
    const scope = findFocusScope(target);
    if (places.get(scope)?.contains(target) === false) places.delete(scope);
  };
  let frame: number | undefined;
  const restoreFocus = (): void => {
    frame = undefined;
    if (document.activeElement !== document.body) return;
    const scope = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
    places.get(scope)?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver((changes) => {
    for (const [scope, place] of places) {
      const next = place.isConnected ? place : findFocusSuccessor(place, changes);
      if (!scope.isConnected || next === undefined) places.delete(scope);
      else places.set(scope, next);
    }
    // The body also has the focus for a moment while Tab moves the focus, so the check waits for the next frame.
    frame ??= requestAnimationFrame(restoreFocus);
  });
  document.addEventListener('focusin', rememberFocusedElement);
  document.addEventListener('pointerdown', forgetFocusedElement);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', rememberFocusedElement);
    document.removeEventListener('pointerdown', forgetFocusedElement);
    observer.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}

function findFocusScope(element: Element): Element {
  return element.closest('dialog, [role=status]') ?? document.body;
}
