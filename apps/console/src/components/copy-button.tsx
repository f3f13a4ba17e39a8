import { useEffect, useState, type ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import { Button } from './button.js';
import { copyText } from './copy-text.js';
import { IconButton } from './icon-button.js';
import { CheckIcon, CopyIcon } from './icons.js';
import { componentMessages } from './messages.js';
import { useToasts } from './toasts.js';

export interface CopyButtonProps {
  readonly text: string;
  /** The label of the button, such as `Copy the key`. Default: `Copy`. */
  readonly label?: string;
  /** True to show the label beside the icon. */
  readonly hasLabel?: boolean;
}

const CONFIRMATION_MS = 1_500;

/** Shows a button that copies a text, and confirms the copy on the button itself. */
export function CopyButton({ text, label, hasLabel = false }: CopyButtonProps): ReactNode {
  const messages = useMessages(componentMessages);
  const { showToast } = useToasts();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => {
      setIsCopied(false);
    }, CONFIRMATION_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [isCopied]);

  const copy = async (): Promise<void> => {
    const isDone = await copyText(text);
    setIsCopied(isDone);
    if (!isDone) showToast({ text: (language) => componentMessages[language].copyFailed, kind: 'warning' });
  };
  const name = isCopied ? messages.copied : (label ?? messages.copy);
  const icon = isCopied ? CheckIcon : CopyIcon;
  const handleClick = (): void => void copy();
  if (!hasLabel) return <IconButton icon={icon} isSmall label={name} onClick={handleClick} />;
  return (
    <Button icon={icon} onClick={handleClick}>
      {name}
    </Button>
  );
}
