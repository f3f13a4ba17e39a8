import { afterAll, beforeAll, describe } from 'vitest';
import { describeAbandonedWrites } from './testing/describe-abandoned-writes.js';
import { describeContention } from './testing/describe-contention.js';
import { describeMetadataIndex } from './testing/describe-metadata-index.js';
import { describeQdrantStore } from './testing/describe-qdrant-store.js';
import { startFakeQdrant, type FakeQdrant } from './testing/fake-qdrant/fake-qdrant.js';

describe('the fake Qdrant server', () => {
  let fake: FakeQdrant;
  beforeAll(async () => {
    fake = await startFakeQdrant();
  });
  afterAll(() => fake.stop());
  describeQdrantStore(() => fake.url);
  describeContention(() => fake.url);
  describeAbandonedWrites(() => fake.url);
  describeMetadataIndex(() => fake.url);
});
