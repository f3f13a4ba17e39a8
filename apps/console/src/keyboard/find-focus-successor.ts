/** CSS selector of the elements that Tab can focus. */
const REACHABLE = ':is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled, [tabindex^="-"])';

/**
 * Finds the control that receives the focus after the focused element was removed, alone or with its row. Searches the
 * next rows, then the previous rows, and then the elements around the list. In a row with the same number of controls,
 * prefers the control at the position of the removed one.
 *
 * @param changes the mutations of the document, including the removal of the element
 * @returns undefined if the whole screen was removed, because the next screen sets the focus itself
 */
export function findFocusSuccessor(element: Element, changes: readonly MutationRecord[]): HTMLElement | undefined {
  const removal = findRemovalPlace(element, changes);
  const screen = removal?.parent.closest('main, dialog') ?? null;
  if (removal === undefined || screen === null) return undefined;
  const own = listFocusableControls(removal.row);
  const pick = (node: Node, nearest: 0 | -1): HTMLElement | undefined => {
    const controls = listFocusableControls(node);
    const same = controls.length === own.length ? controls[own.findIndex((control) => control === element)] : undefined;
    return [same, controls.at(nearest)].find((control) => control?.checkVisibility() === true);
  };
  let { previous, parent } = removal;
  for (;;) {
    const siblings: readonly Node[] = [...parent.childNodes];
    const place = previous === null ? 0 : siblings.indexOf(previous) + 1;
    const after = siblings.slice(place).map((node) => pick(node, 0));
    const before = siblings.slice(0, place).map((node) => pick(node, -1));
    const found = [...after, ...before.toReversed()].find((control) => control !== undefined);
    if (found !== undefined || parent === screen || parent.parentElement === null) return found;
    [previous, parent] = [parent, parent.parentElement];
  }
}

interface Removal {
  /** The removed node that is or contains the focused element, such as a row. */
  readonly row: Node;
  /** The former parent element of the row, which is still in the document. */
  readonly parent: Element;
  /** The nearest preceding sibling of the row that is still in the document. Null if there is none. */
  readonly previous: Node | null;
}

/** Finds the place from which an element was removed, even if its parents or preceding siblings were removed later. */
function findRemovalPlace(element: Node, changes: readonly MutationRecord[]): Removal | undefined {
  const find = (isRemoved: (node: Node) => boolean): MutationRecord | undefined =>
    changes.findLast(({ removedNodes }) => [...removedNodes].some(isRemoved));
  const change = find((node) => node.contains(element));
  const row = [...(change?.removedNodes ?? [])].find((node) => node.contains(element));
  if (change === undefined || row === undefined || !(change.target instanceof Element)) return undefined;
  const { target: parent } = change;
  if (!parent.isConnected) return findRemovalPlace(parent, changes);
  let previous = change.previousSibling;
  while (previous !== null && previous.parentNode !== parent) {
    const removed = previous;
    previous = find((node) => node === removed)?.previousSibling ?? null;
  }
  return { row, parent, previous };
}

function listFocusableControls(node: Node): readonly HTMLElement[] {
  if (!(node instanceof HTMLElement)) return [];
  return [...(node.matches(REACHABLE) ? [node] : []), ...node.querySelectorAll<HTMLElement>(REACHABLE)];
}
