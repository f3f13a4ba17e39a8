/** The preferred side of the trigger element on which a popup appears, and which edges of the two are aligned. */
export interface Placement {
  readonly side: 'top' | 'bottom';
  readonly align: 'start' | 'center' | 'end';
}

/** A rectangle in the window, in CSS pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const GAP = 5;
const MARGIN = 8;

/**
 * Computes the position of a popup beside its trigger. The popup appears on the opposite side if it does not fit on the
 * given side and the opposite side has more room. A popup that is not larger than the window stays within the window.
 */
export function computePopupPosition(
  trigger: Box,
  popup: Pick<Box, 'width' | 'height'>,
  view: Pick<Box, 'width' | 'height'>,
  { side, align }: Placement,
): { readonly left: number; readonly top: number } {
  const above = trigger.top - GAP - MARGIN;
  const below = view.height - trigger.top - trigger.height - GAP - MARGIN;
  const [wanted, other] = side === 'top' ? [above, below] : [below, above];
  const isFlipped = wanted < popup.height && other > wanted;
  const isAbove = (side === 'top') !== isFlipped;
  const top = isAbove ? trigger.top - GAP - popup.height : trigger.top + trigger.height + GAP;
  const share = { start: 0, center: 0.5, end: 1 }[align];
  const left = trigger.left + (trigger.width - popup.width) * share;
  return {
    left: Math.max(MARGIN, Math.min(left, view.width - popup.width - MARGIN)),
    top: Math.max(MARGIN, Math.min(top, view.height - popup.height - MARGIN)),
  };
}

/** Moves a visible popup to its position beside its trigger. */
export function placePopup(trigger: Element, popup: HTMLElement, placement: Placement): void {
  const view = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight };
  const size = { width: popup.offsetWidth, height: popup.offsetHeight };
  const { left, top } = computePopupPosition(trigger.getBoundingClientRect(), size, view, placement);
  popup.style.left = `${left}px`;
  popup.style.top = `${top}px`;
}
