import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useLanguage } from '../language/language-context.js';
import { Button } from './button.js';
import { IconButton } from './icon-button.js';
import { CloseIcon } from './icons.js';
import { componentMessages } from './messages.js';
import { addToast, getToastDisplayMs, type ShownToast, type Toast } from './toast-list.js';
import './toasts.css';

interface Toasts {
  /** Shows a short message at the edge of the window, which screen readers announce. */
  readonly showToast: (toast: Toast) => void;
}

const ToastContext = createContext<Toasts | undefined>(undefined);

/** Provides all screens with the function that shows toasts, and renders the toasts. */
export function ToastProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [shown, setShown] = useState<readonly ShownToast[]>([]);
  const count = useRef(0);
  const removeToast = useCallback((id: number) => {
    setShown((toasts) => toasts.filter((toast) => toast.id !== id));
  }, []);
  const toasts = useMemo<Toasts>(
    () => ({
      showToast: (toast) => {
        count.current += 1;
        const id = count.current;
        setShown((before) => addToast(before, { ...toast, id }));
      },
    }),
    [],
  );
  return (
    <ToastContext value={toasts}>
      {children}
      {createPortal(
        <div aria-relevant="additions" role="status">
          <ol className="toasts">
            {shown.map((toast) => (
              <ToastItem key={toast.id} onClose={removeToast} toast={toast} />
            ))}
          </ol>
        </div>,
        document.body,
      )}
    </ToastContext>
  );
}

/** Returns the function that shows toasts. */
export function useToasts(): Toasts {
  const toasts = use(ToastContext);
  if (toasts === undefined)
    throw new Error('expected a ToastProvider around the component that calls useToasts, found none');
  return toasts;
}

interface ToastItemProps {
  readonly toast: ShownToast;
  readonly onClose: (id: number) => void;
}

function ToastItem({ toast, onClose }: ToastItemProps): ReactNode {
  const { id, text, kind = 'success', onUndo } = toast;
  const { language } = useLanguage();
  const messages = componentMessages[language];
  const [isPaused, setIsPaused] = useState(false);
  const shownMs = getToastDisplayMs(toast);
  useEffect(() => {
    if (isPaused || shownMs === undefined) return undefined;
    const timer = setTimeout(() => {
      onClose(id);
    }, shownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [id, isPaused, onClose, shownMs]);
  const pause = (): void => {
    setIsPaused(true);
  };
  const resume = (): void => {
    setIsPaused(false);
  };
  const undo = (): void => {
    onUndo?.();
    onClose(id);
  };
  return (
    <li className={`toast toast-${kind}`} onBlur={resume} onFocus={pause} onMouseEnter={pause} onMouseLeave={resume}>
      <span className="toast-text">{text(language)}</span>
      {onUndo !== undefined && (
        <Button kind="quiet" onClick={undo}>
          {messages.undo}
        </Button>
      )}
      <IconButton icon={CloseIcon} isSmall label={messages.dismiss} onClick={() => onClose(id)} />
    </li>
  );
}
