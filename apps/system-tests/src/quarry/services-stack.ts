import { spawnSync } from 'node:child_process';
import { hasS3Server } from '@quarry/blob-store-s3/testing';
import { startFiveServices, type FiveServices } from './five-services.js';
import type { StackKind } from './stack.js';

const PROGRAMS = ['redis-server', 'qdrant'];

/** Returns the kind of stack that production uses: separate services on PostgreSQL, Redis, Qdrant and S3. */
export function createServicesStack(): StackKind {
  const absent = PROGRAMS.filter((name) => spawnSync(name, ['--version']).status !== 0);
  return {
    title: `five services, two of each${hasS3Server() ? '' : ', blobs in a folder'}`,
    missing: absent.length === 0 ? undefined : `there is no ${absent.join(' and no ')} on PATH`,
    start: (variables): Promise<FiveServices> => startFiveServices(variables),
  };
}
