import { eq } from 'drizzle-orm';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import type { TestGateway } from './start-test-gateway.js';

/** The keys of an organization's blobs that are stored. */
export const blobsOf = ({ blobs }: TestGateway, organizationId: string): readonly string[] =>
  [...blobs.keys].filter((key) => key.startsWith(organizationId));

/** The keys of an organization's blobs that go when nobody reads them any more. */
export async function discardedOf({ gateway }: TestGateway, organizationId: string): Promise<readonly string[]> {
  const rows = await gateway.db.select().from(discardedBlobs).where(eq(discardedBlobs.organizationId, organizationId));
  return rows.map(({ key }) => key);
}
