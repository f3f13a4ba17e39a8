import type { ServiceComponent } from '@quarry/service-kit';
import type { GatewaySettings } from '../settings.js';

/**
 * Lists the queue server, the blob store and the embedding model of a gateway. The list contains only the kinds of the
 * servers, such as `redis`, and not their addresses.
 */
export function listGatewayComponents(
  { embedding }: Pick<GatewaySettings, 'embedding'>,
  addresses: { readonly queues: string; readonly blobs: string },
): readonly ServiceComponent[] {
  return [
    { kind: 'queue_server', name: addresses.queues.startsWith('redis') ? 'redis' : 'postgresql' },
    { kind: 'blob_store', name: addresses.blobs.startsWith('s3:') ? 's3' : 'files' },
    ...(embedding === undefined ? [] : [{ kind: 'embedding_model', name: embedding.model }]),
  ];
}
