import { useEffect } from 'react';

/**
 * Closes an open part of the page on Escape, and returns the focus to the previously focused element. A menu inside the
 * part closes first.
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
