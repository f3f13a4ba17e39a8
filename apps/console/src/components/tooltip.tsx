import { cloneElement, useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { ShortcutKeys } from './shortcut-keys.js';
import { placePopup } from './place-popup.js';
import './popup.css';

export interface TooltipProps {
  readonly text: string;
  /** The keyboard shortcut that the tooltip shows beside its text, such as `g d`. */
  readonly shortcut?: string | undefined;
  /**
   * The element that has the tooltip. Its accessible name must contain the text of the tooltip, because touch screens
   * show no tooltips.
   */
  readonly children: ReactElement<Record<string, unknown>>;
}

const DELAY_MS = 500;

/**
 * Shows a text beside an element, after the pointer has rested on the element or at once on keyboard focus. Escape
 * hides the text.
 */
export function Tooltip({ text, shortcut, children }: TooltipProps): ReactNode {
  const trigger = useRef<HTMLElement>(null);
  const popup = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!isOpen || trigger.current === null || popup.current === null) return undefined;
    popup.current.showPopover();
    placePopup(trigger.current, popup.current, { side: 'top', align: 'center' });
    const handleKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setIsOpen(false);
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [isOpen]);
  const show = (delayMs: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsOpen(true), delayMs);
  };
  const hide = (): void => {
    clearTimeout(timer.current);
    setIsOpen(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <>
      {cloneElement(children, {
        ref: trigger,
        onPointerEnter: ({ pointerType }: PointerEvent) => {
          if (pointerType === 'mouse') show(DELAY_MS);
        },
        onPointerLeave: hide,
        onPointerDown: hide,
        onFocus: ({ currentTarget }: { readonly currentTarget: Element }) => {
          if (currentTarget.matches(':focus-visible')) show(0);
        },
        onBlur: hide,
      })}
      {isOpen && (
        // The tooltip is hidden from screen readers, because they already announce the name of the element.
        <span aria-hidden="true" className="tooltip" popover="manual" ref={popup}>
          {text}
          {shortcut !== undefined && <ShortcutKeys keys={shortcut} />}
        </span>
      )}
    </>
  );
}
