import { findFocusSuccessor } from './find-focus-successor.js';

/**
 * Moves the focus to the nearest control when the focused element is removed, for example with the row of a deleted
 * item. Browsers would move the focus to the body, so that Tab would start again at the top of the page. Also moves the
 * focus after a dialog has closed, if the element that had the focus before the dialog was removed.
 *
 * @returns a function that stops the observation of the page
 */
export function startFocusRecovery(): () => void {
  // The element that last had the focus in each scope. A scope is an open dialog, the toasts, or the rest of the page.
  const places = new Map<Element, HTMLElement>();
  const rememberFocusedElement = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement) places.set(findFocusScope(target), target);
  };
  /** Clears the stored element after a click on another element, which moves the focus intentionally. */
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
