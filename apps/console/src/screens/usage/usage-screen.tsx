import type { ReactNode } from 'react';
import { isNotFoundError } from '../../components/explain-error.js';
import { OrganizationIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { MissingItem } from '../../page/missing-item.js';
import { PageHeader } from '../../page/page-header.js';
import { useScreenParameters } from '../../routing/screen-link.js';
import { usageMessages } from './messages.js';
import { UsageView } from './usage-view.js';
import { useOrganization } from './use-usage.js';

/** Shows the usage per day and the limits of the organization of the session. */
export function UsageScreen(): ReactNode {
  const messages = useMessages(usageMessages);
  return (
    <>
      <PageHeader title={messages.title} />
      <div className="page">
        <UsageView organizationId={undefined} />
      </div>
    </>
  );
}

/** Shows to an operator the usage of the organization in the address. */
export function OrganizationUsageScreen(): ReactNode {
  const messages = useMessages(usageMessages);
  const { organizationId } = useScreenParameters('organizationUsage');
  const { data, error } = useOrganization(organizationId);
  if (isNotFoundError(error)) {
    return (
      <MissingItem
        icon={OrganizationIcon}
        list={{ title: messages.organizations, target: { to: 'organizations' } }}
        showAll={messages.showOrganizations}
        title={messages.missingOrganization}
      />
    );
  }
  return (
    <>
      <PageHeader
        title={data === undefined ? messages.title : messages.titleOf(data.name)}
        trail={[{ title: messages.organizations, target: { to: 'organizations' } }]}
      />
      <div className="page">
        <UsageView key={organizationId} organizationId={organizationId} />
      </div>
    </>
  );
}
