import type { Organization } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { Button } from '../../components/button.js';
import { EditIcon, MoreIcon, TrashIcon, UsageIcon } from '../../components/icons.js';
import { Menu } from '../../components/menu.js';
import { FormattedNumber } from '../../components/formatted-number.js';
import { Table } from '../../components/table.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen } from '../../routing/screen-link.js';
import { useSession } from '../../session/use-session.js';
import { organizationsMessages } from './messages.js';

/** The kind of the open dialog of the list, and the organization that the dialog edits or deletes. */
export type OrganizationAction =
  { readonly kind: 'create' } | { readonly kind: 'edit' | 'delete'; readonly organization: Organization };

interface OrganizationTableProps {
  readonly organizations: Pages<Organization>;
  readonly onAction: (action: OrganizationAction) => void;
}

/** Shows the organizations as rows with their limits. */
export function OrganizationTable({ organizations, onAction }: OrganizationTableProps): ReactNode {
  const messages = useMessages(organizationsMessages);
  return (
    <Table
      columns={[
        { key: 'name', title: messages.name, kind: 'main', render: ({ name }) => name },
        {
          key: 'queries',
          title: messages.queries,
          kind: 'number',
          render: ({ limits }) => <LimitCell value={limits.agentQueriesPerMonth} />,
        },
        {
          key: 'tokens',
          isSecondary: true,
          title: messages.tokens,
          kind: 'number',
          render: ({ limits }) => <LimitCell value={limits.storedTokens} />,
        },
        {
          key: 'jobs',
          isSecondary: true,
          title: messages.jobs,
          kind: 'number',
          render: ({ limits }) => <LimitCell value={limits.concurrentJobs} />,
        },
        {
          key: 'weight',
          isSecondary: true,
          title: messages.weight,
          kind: 'number',
          render: ({ limits }) => <FormattedNumber value={limits.jobWeight} />,
        },
        {
          key: 'created',
          isSecondary: true,
          title: messages.createdAt,
          render: ({ createdAt }) => <RelativeTime value={createdAt} />,
        },
        {
          key: 'actions',
          title: messages.actions,
          kind: 'actions',
          render: (organization) => <RowMenu onAction={onAction} organization={organization} />,
        },
      ]}
      getKey={({ id }) => id}
      label={messages.title}
      more={organizations.more}
      rows={organizations.items}
    />
  );
}

function LimitCell({ value }: { readonly value: number | null }): ReactNode {
  const messages = useMessages(organizationsMessages);
  return value === null ? <span className="muted">{messages.unlimited}</span> : <FormattedNumber value={value} />;
}

interface RowMenuProps {
  readonly organization: Organization;
  readonly onAction: (action: OrganizationAction) => void;
}

function RowMenu({ organization, onAction }: RowMenuProps): ReactNode {
  const messages = useMessages(organizationsMessages);
  const isOwn = useSession().organization.id === organization.id;
  const openScreen = useOpenScreen();
  const usage = {
    label: messages.usage,
    icon: UsageIcon,
    onSelect: () => openScreen({ to: 'organizationUsage', parameters: { organizationId: organization.id } }),
  };
  const edit = { label: messages.edit, icon: EditIcon, onSelect: () => onAction({ kind: 'edit', organization }) };
  const remove = {
    label: messages.remove,
    icon: TrashIcon,
    isDangerous: true,
    // The console does not delete the organization of its session. The API refuses to delete the default organization.
    isDisabled: isOwn,
    onSelect: () => onAction({ kind: 'delete', organization }),
  };
  return (
    <Menu
      align="end"
      groups={[{ actions: [usage, edit] }, { actions: [remove] }]}
      trigger={
        <Button aria-label={messages.actionsFor(organization.name)} className="icon-button" kind="quiet">
          <MoreIcon />
        </Button>
      }
    />
  );
}
