import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-context.js';
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
  const { data } = useOrganization(organizationId);
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
