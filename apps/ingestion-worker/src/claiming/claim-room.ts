import { GiveUp, type ClaimTokens, type IndexDocument } from '@quarry/contracts';

/**
 * Makes sure that a document's tokens may be stored, before anything is paid for them.
 *
 * @throws GiveUp with `usage_limit_reached`, or `content_missing` when the datasource is gone
 */
export async function claimRoom(claimTokens: ClaimTokens, job: IndexDocument, tokens: number): Promise<void> {
  const { organizationId, datasourceId, documentKey } = job;
  const { granted, code, message } = await claimTokens({ organizationId, datasourceId, documentKey, tokens });
  if (!granted) throw new GiveUp(code ?? 'usage_limit_reached', message ?? 'The limit of stored tokens is reached.');
}
