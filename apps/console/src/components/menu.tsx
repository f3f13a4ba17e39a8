import {
  cloneElement,
  Fragment,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import { CheckIcon, type Icon } from './icons.js';
import { joinClasses } from './join-classes.js';
import { ShortcutKeys } from './shortcut-keys.js';
import { moveFocus } from './move-focus.js';
import { placePopup } from './place-popup.js';
import './popup.css';

export interface MenuAction {
  readonly label: string;
  readonly icon?: Icon;
  readonly shortcut?: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /**
   * True if the action is the selected choice of its group, false if it is another choice. Absent: the action is not a
   * choice.
   */
  readonly isChosen?: boolean;
  readonly onSelect: () => void;
}

export interface MenuGroup {
  readonly title?: string;
  readonly actions: readonly MenuAction[];
}

export interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly groups: readonly MenuGroup[];
  readonly side?: 'bottom' | 'top';
  readonly align?: 'start' | 'end';
}

/**
 * Shows a menu of actions beside a button (ARIA pattern “Menu Button”). Arrow keys, Home, End and letters move between
 * the actions. The popup is a native popover: it lies above all other content, and closes on Escape or on a click
 * outside the popup.
 */
export function Menu({ trigger, groups, side = 'bottom', align = 'start' }: MenuProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => {
    if (button.current === null || popup.current === null) return;
    // The actions must be in the document before the size of the popup is measured.
    flushSync(() => setIsOpen(true));
    popup.current.showPopover();
    placePopup(button.current, popup.current, { side, align });
    moveFocus(popup.current, 'Home');
  };
  const run = (action: MenuAction): void => {
    // The button receives the focus before the action runs. If the action opens a dialog, the dialog thus returns the
    // focus to the button when the dialog closes.
    popup.current?.hidePopover();
    button.current?.focus();
    action.onSelect();
  };
  const handleKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Tab') popup.current?.hidePopover();
    else if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
  };
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        // This attribute relates the button to the popup. A click on the button thus does not count as a click outside
        // the popup.
        popoverTarget: id,
        onClick: (event: Event) => {
          event.preventDefault();
          if (popup.current?.matches(':popover-open') === true) popup.current.hidePopover();
          else open();
        },
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          open();
        },
      })}
      <div
        className="menu"
        id={id}
        onKeyDown={handleKey}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
        popover="auto"
        ref={popup}
        role="menu"
        tabIndex={-1}
      >
        {isOpen &&
          groups.map((group, index) => (
            <Fragment key={group.title ?? index}>
              {index > 0 && <div className="menu-line" role="separator" />}
              <ActionGroup {...group} onRun={run} />
            </Fragment>
          ))}
      </div>
    </>
  );
}

interface ActionGroupProps extends MenuGroup {
  readonly onRun: (action: MenuAction) => void;
}

function ActionGroup({ title, actions, onRun }: ActionGroupProps): ReactNode {
  const id = useId();
  return (
    <div aria-labelledby={title === undefined ? undefined : id} role="group">
      {title !== undefined && (
        <div className="menu-title" id={id}>
          {title}
        </div>
      )}
      {actions.map((action, at) => (
        <MenuItem {...action} key={`${at} ${action.label}`} onSelect={() => onRun(action)} />
      ))}
    </div>
  );
}

function MenuItem({ label, icon: ItemIcon, shortcut, onSelect, ...state }: MenuAction): ReactNode {
  const { isDangerous = false, isDisabled = false, isChosen } = state;
  return (
    <button
      aria-checked={isChosen}
      className={joinClasses('menu-item', isDangerous && 'menu-item-danger')}
      disabled={isDisabled}
      onClick={onSelect}
      onMouseMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      tabIndex={-1}
      type="button"
    >
      {ItemIcon !== undefined && <ItemIcon />}
      <span className="truncate">{label}</span>
      {isChosen === true && (
        <span className="menu-item-end">
          <CheckIcon />
        </span>
      )}
      {shortcut !== undefined && (
        <span className="menu-item-end">
          <ShortcutKeys keys={shortcut} />
        </span>
      )}
    </button>
  );
}
