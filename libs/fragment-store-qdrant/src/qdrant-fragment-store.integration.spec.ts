import { describeAbandonedWrites } from './testing/describe-abandoned-writes.js';
import { describeContention } from './testing/describe-contention.js';
import { describeMetadataIndex } from './testing/describe-metadata-index.js';
import { describeQdrantStore } from './testing/describe-qdrant-store.js';
import { describeWithQdrant } from './testing/index.js';

await describeWithQdrant('Qdrant', process.env, (url) => {
  describeQdrantStore(url);
  describeContention(url);
  describeAbandonedWrites(url);
  describeMetadataIndex(url);
});
