import type { ReactNode } from 'react';
import { EmptyState } from '../components/empty-state.js';
import type { Icon } from '../components/icons.js';
import { componentMessages } from '../components/messages.js';
import { useMessages } from '../language/language-context.js';
import { ScreenLink, type ScreenTarget } from '../routing/screen-link.js';
import { PageHeader, type Crumb } from './page-header.js';

export interface MissingItemProps {
  readonly icon: Icon;
  /** Text that names the missing item, such as `This agent does not exist`. */
  readonly title: string;
  /** The screen that lists the existing items. */
  readonly list: Crumb;
  /** The text of the link to the list, such as `Show all agents`. */
  readonly showAll: string;
}

/** Shows a page in place of an item that was deleted, or that the API key of the session cannot access. */
export function MissingItem({ icon, title, list, showAll }: MissingItemProps): ReactNode {
  const messages = useMessages(componentMessages);
  return (
    <>
      <PageHeader title={list.title} />
      <EmptyState
        actions={
          // A union of targets fits no single name. Each target by itself is complete.
          <ScreenLink {...(list.target as ScreenTarget<'home'>)} className="button button-secondary">
            {showAll}
          </ScreenLink>
        }
        icon={icon}
        title={title}
      >
        {messages.notFoundStep}
      </EmptyState>
    </>
  );
}
