/** Limits how much work of each organization, and of all together, this gateway does at once. */
export interface OrganizationPlaces {
  /** Runs work in a place of its organization. Returns undefined, without a call, if all places are occupied. */
  runInPlace<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result | undefined>;
}

export function createOrganizationPlaces(limits: {
  readonly perOrganization: number;
  readonly total: number;
}): OrganizationPlaces {
  const running = new Map<string, number>();
  let total = 0;
  const changeOccupied = (organizationId: string, change: 1 | -1): void => {
    total += change;
    const count = (running.get(organizationId) ?? 0) + change;
    if (count === 0) running.delete(organizationId);
    else running.set(organizationId, count);
  };
  return {
    runInPlace: async (organizationId, work) => {
      if (total >= limits.total || (running.get(organizationId) ?? 0) >= limits.perOrganization) return undefined;
      changeOccupied(organizationId, 1);
      try {
        return await work();
      } finally {
        changeOccupied(organizationId, -1);
      }
    },
  };
}
