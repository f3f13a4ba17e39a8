import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { useMessages } from '../language/language-context.js';
import { Button } from './button.js';
import './dialog.css';
import { CloseIcon } from './icons.js';
import { joinClasses } from './join-classes.js';
import { componentMessages } from './messages.js';

export interface DialogProps {
  readonly title: string;
  /** A sentence below the title. */
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  /** Called when the user closes the dialog. */
  readonly onClose: () => void;
  /** Called after the dialog has closed and is no longer visible, or when the next opening has replaced it. */
  readonly onClosed?: () => void;
  readonly children: ReactNode;
  readonly width?: 'narrow' | 'normal' | 'wide';
  /** True if neither Escape nor a click beside the dialog closes it. The dialog then has no close button. */
  readonly isPersistent?: boolean;
}

/**
 * Shows a modal dialog as a native `<dialog>`. While it is open, the focus stays inside. After it has closed, the
 * previously focused element has the focus again. Each opening mounts the children anew, so that forms start empty, also
 * during the animation of an earlier closing.
 */
export function Dialog(props: DialogProps): ReactNode {
  const { isOpen, onClosed } = props;
  const [isMounted, setIsMounted] = useState(isOpen);
  const [wasOpen, setWasOpen] = useState(isOpen);
  const [replacements, setReplacements] = useState(0);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) {
      setIsMounted(true);
      if (isMounted) setReplacements(replacements + 1);
    }
  }
  const reportReplaced = useEffectEvent(() => onClosed?.());
  useEffect(() => {
    if (replacements > 0) reportReplaced();
  }, [replacements]);
  if (!isMounted) return null;
  const handleClosed = (): void => {
    setIsMounted(false);
    onClosed?.();
  };
  return createPortal(<NativeDialog {...props} key={replacements} onClosed={handleClosed} />, document.body);
}

function NativeDialog(props: DialogProps & { readonly onClosed: () => void }): ReactNode {
  const { title, description, isOpen, onClose, children, width = 'normal', isPersistent = false } = props;
  const messages = useMessages(componentMessages);
  const id = useId();
  const dialog = useNativeDialog(isOpen, props.onClosed);
  const close = (): void => {
    if (!isPersistent) onClose();
  };
  return (
    // The native element closes on Escape. The key handler only prevents this for a persistent dialog.
    // eslint-disable-next-line jsx-a11y-x/no-noninteractive-element-interactions
    <dialog
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      aria-labelledby={`${id}-title`}
      className={joinClasses('dialog', `dialog-${width}`)}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isPersistent) event.preventDefault();
      }}
      // A click beside the dialog must not discard what was typed into a form.
      onMouseDown={({ target, currentTarget }) => {
        if (target === currentTarget && currentTarget.querySelector('form') === null) close();
      }}
      ref={dialog}
    >
      <div className="dialog-content">
        <h2 className="dialog-title" id={`${id}-title`}>
          {title}
        </h2>
        {description !== undefined && (
          <p className="dialog-description" id={`${id}-description`}>
            {description}
          </p>
        )}
        {children}
      </div>
      {/* Last, so that the first field receives the focus. */}
      {!isPersistent && (
        <Button
          aria-label={messages.close}
          className="icon-button icon-button-small dialog-close"
          kind="quiet"
          onClick={onClose}
        >
          <CloseIcon />
        </Button>
      )}
    </dialog>
  );
}

/**
 * Opens and closes the native `<dialog>`, and calls `onClosed` after the closing animation. Returns the ref for the
 * element.
 */
function useNativeDialog(isOpen: boolean, onClosed: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const reportClosed = useEffectEvent(onClosed);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    if (isOpen) {
      if (!element.open) element.showModal();
      return undefined;
    }
    let isCancelled = false;
    element.close();
    void Promise.allSettled(element.getAnimations().map(({ finished }) => finished)).then(() => {
      if (!isCancelled) reportClosed();
    });
    return () => {
      isCancelled = true;
    };
  }, [isOpen]);
  return dialog;
}

/** Shows the buttons at the end of a dialog, the main one last. They stay visible while the content scrolls. */
export function DialogActions({ children }: { readonly children: ReactNode }): ReactNode {
  return <footer className="dialog-actions">{children}</footer>;
}
