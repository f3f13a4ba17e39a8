import { Describe, IsArray, IsIn, IsInt, IsNumber, IsString, OrNull, Type, ValidateNested } from '@quarry/validation';

export const AVAILABILITY = ['available', 'unavailable'] as const;
export type Availability = (typeof AVAILABILITY)[number];

@Describe('The jobs of a queue. The numbers are null if the queue server does not respond.')
export class SystemQueue {
  @IsString()
  readonly name: string;

  @IsIn(AVAILABILITY)
  readonly status: Availability;

  @OrNull()
  @IsString()
  @Describe('Why the numbers are unavailable.')
  readonly reason: string | null;

  @OrNull()
  @IsInt()
  readonly waiting: number | null;

  @OrNull()
  @IsInt()
  readonly active: number | null;

  @OrNull()
  @IsInt()
  @Describe('Jobs that wait for a time, such as that of a retry.')
  readonly delayed: number | null;

  @OrNull()
  @IsInt()
  @Describe('Failed jobs that the queue retains.')
  readonly failed: number | null;

  @OrNull()
  @IsInt()
  @Describe('Number of jobs that the connected consumers can run at once. 0: no consumer is connected.')
  readonly capacity: number | null;

  @OrNull()
  @IsNumber()
  @Describe('Time for which the next job has waited, in seconds. Null: no job is waiting.')
  readonly oldestSeconds: number | null;
}

@Describe('Jobs of one queue and class that wait in the database for a place in their queue.')
export class SystemBacklogClass {
  @IsString()
  readonly queue: string;

  @IsString()
  @Describe('`interactive`: jobs that a person waits for. `sync`: other runs. `bulk`: the documents of a run.')
  readonly class: string;

  @IsInt()
  readonly jobs: number;

  @IsInt()
  @Describe('Number of organizations with such jobs.')
  readonly organizations: number;

  @IsNumber()
  @Describe('Time for which the oldest job has waited, in seconds.')
  readonly oldestSeconds: number;
}

@Describe('The jobs that wait for the fair dispatcher.')
export class SystemBacklog {
  @IsIn(AVAILABILITY)
  readonly status: Availability;

  @OrNull()
  @IsString()
  @Describe('Why the numbers are unavailable.')
  readonly reason: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SystemBacklogClass)
  readonly classes: readonly SystemBacklogClass[];
}
