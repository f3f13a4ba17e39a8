/** Environment variables for the services. */
export type Variables = Readonly<Record<string, string>>;

/** A way to run Quarry. */
export interface StackKind {
  readonly title: string;
  /** What this machine lacks for it; undefined where it can run. */
  readonly missing: string | undefined;
  /** @param servers addresses of 127.0.0.1 here that its services are told to ask */
  start(variables: Variables, servers: readonly string[]): Promise<RunningStack>;
}

export interface RunningStack {
  /** Such as `http://127.0.0.1:43125/api`. */
  readonly baseUrl: string;
  /** All that its processes have printed so far; nothing of those that the tests did not start. */
  output(): string;
  /** Ends all of its processes, its servers' where they are part of it, and starts them again; `baseUrl` may be another then. */
  restart(how: Ending): Promise<void>;
  stop(): Promise<void>;
}

/** As on purpose, or as in a power cut. */
export type Ending = 'told' | 'killed';
