import { useEffect } from 'react';

/**
 * While a part of the page is open, calls `onClose` on Escape, and returns the focus to the element that had the focus
 * before the part was opened. If a menu or dialog is open, Escape closes only that.
 */
export function useCloseOnEscape(isOpen: boolean, onClose: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const opener = document.activeElement;
    const handleKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector(':popover-open, dialog[open]') !== null) return;
      onClose();
      if (opener instanceof HTMLElement) opener.focus();
    };
    document.addEventListener('keydown', handleKey);
    return () => {
      document.removeEventListener('keydown', handleKey);
    };
  }, [isOpen, onClose]);
}
