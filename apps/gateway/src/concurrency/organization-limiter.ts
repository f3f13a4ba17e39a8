/** Limits the number of concurrent calls of `runIfAllowed` in this gateway, per organization and in total. */
export interface OrganizationLimiter {
  /** Calls `work` if the limits allow another call of the organization. Otherwise returns undefined without a call. */
  runIfAllowed<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result | undefined>;
}

export function createOrganizationLimiter(limits: {
  readonly perOrganization: number;
  readonly total: number;
}): OrganizationLimiter {
  const running = new Map<string, number>();
  let total = 0;
  const changeRunningCount = (organizationId: string, change: 1 | -1): void => {
    total += change;
    const count = (running.get(organizationId) ?? 0) + change;
    if (count === 0) running.delete(organizationId);
    else running.set(organizationId, count);
  };
  return {
    runIfAllowed: async (organizationId, work) => {
      if (total >= limits.total || (running.get(organizationId) ?? 0) >= limits.perOrganization) return undefined;
      changeRunningCount(organizationId, 1);
      try {
        return await work();
      } finally {
        changeRunningCount(organizationId, -1);
      }
    },
  };
}
