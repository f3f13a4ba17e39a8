import { Fragment, useEffect, type ReactNode } from 'react';
import { ChevronRightIcon } from '../components/icons.js';
import { joinClasses } from '../components/join-classes.js';
import { componentMessages } from '../components/messages.js';
import { useMessages } from '../language/language-context.js';
import { ScreenLink, type AnyScreenTarget, type ScreenTarget } from '../routing/screen-link.js';

export interface Crumb {
  readonly title: string;
  readonly target: AnyScreenTarget;
}

export interface PageHeaderProps {
  readonly title: string;
  /** Links to the parent screens of this screen, the outermost first. Default: none. */
  readonly trail?: readonly Crumb[];
  /** Content beside the title, such as the status of the shown item. */
  readonly status?: ReactNode;
  /** The buttons of the screen, the main one last. */
  readonly actions?: ReactNode;
}

/** Shows the heading of a screen: its parent screens, title and buttons. Also sets the title of the browser tab. */
export function PageHeader({ title, trail = [], status, actions }: PageHeaderProps): ReactNode {
  const messages = useMessages(componentMessages);
  useEffect(() => {
    document.title = `${title} · Quarry`;
  }, [title]);
  return (
    <header className={joinClasses('page-header', trail.length > 0 && 'page-header-deep')}>
      {trail.length > 0 && (
        <nav aria-label={messages.breadcrumbs} className="crumbs">
          {/* A union of targets fits no single name. Each target by itself is complete. */}
          {trail.map(({ title: name, target }) => (
            <Fragment key={target.to}>
              <ScreenLink {...(target as ScreenTarget<'home'>)}>{name}</ScreenLink>
              <ChevronRightIcon size={12} />
            </Fragment>
          ))}
        </nav>
      )}
      <div className="page-header-title">
        <h1 className="truncate" tabIndex={-1}>
          {title}
        </h1>
        {status}
      </div>
      {actions !== undefined && <div className="page-header-actions">{actions}</div>}
    </header>
  );
}
