import { createLog, type Log } from '@quarry/service-kit';

export interface RecordingLog {
  readonly log: Log;
  /** Returns all logged lines as one text. */
  readonly lines: () => string;
}

export function createRecordingLog(): RecordingLog {
  const written: string[] = [];
  return { log: createLog('test', 'info', { write: (line) => written.push(line) }), lines: () => written.join('') };
}
