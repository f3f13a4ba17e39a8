import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button.js';
import type { Icon } from './icons.js';
import { joinClasses } from './join-classes.js';
import { Tooltip } from './tooltip.js';

export interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children' | 'aria-label'> {
  readonly icon: Icon;
  /** The name of the action, for the tooltip and for screen readers. */
  readonly label: string;
  readonly shortcut?: string;
  readonly isSmall?: boolean;
}

/** Shows a button with an icon, and a tooltip that names its action. */
export function IconButton({
  icon: ButtonIcon,
  label,
  shortcut,
  isSmall = false,
  ...rest
}: IconButtonProps): ReactNode {
  const { className, kind = 'quiet', ...attributes } = rest;
  const button = (
    <Button
      {...attributes}
      aria-label={label}
      className={joinClasses('icon-button', isSmall && 'icon-button-small', className)}
      kind={kind}
    >
      <ButtonIcon />
    </Button>
  );
  return (
    <Tooltip shortcut={shortcut} text={label}>
      {button}
    </Tooltip>
  );
}
