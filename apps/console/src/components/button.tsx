import type { ComponentProps, ReactNode } from 'react';
import './button.css';
import type { Icon } from './icons.js';
import { joinClasses } from './join-classes.js';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /**
   * `primary`: the main action of a screen or dialog. `quiet`: a minor action, without a border. `danger`: an action
   * that removes data. `secondary`: any other action, the default.
   */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly icon?: Icon;
  /** True while the action is in progress. The button then keeps its focus and ignores further clicks. */
  readonly isBusy?: boolean;
  readonly className?: string;
}

/** Shows a button with a text. */
export function Button({ kind = 'secondary', icon: ButtonIcon, isBusy = false, ...rest }: ButtonProps): ReactNode {
  const { className, children, onClick, type = 'button', ...attributes } = rest;
  return (
    <button
      {...attributes}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      className={joinClasses('button', `button-${kind}`, className)}
      // A busy button must not submit its form again.
      onClick={isBusy ? preventDefault : onClick}
      type={type}
    >
      {ButtonIcon !== undefined && <ButtonIcon />}
      <span className="button-text">{children}</span>
      {isBusy && <span aria-hidden="true" className="button-progress" />}
    </button>
  );
}

function preventDefault(event: { readonly preventDefault: () => void }): void {
  event.preventDefault();
}
