/** Environment variables of the services. */
export type Variables = Readonly<Record<string, string>>;

/** Describes a way to run Quarry. */
export interface StackKind {
  readonly title: string;
  /** The reason why this machine cannot run this kind of Quarry; undefined if it can. */
  readonly missing: string | undefined;
  /** Starts a Quarry of this kind. @param servers addresses of 127.0.0.1 that its services may connect to */
  start(variables: Variables, servers: readonly string[]): Promise<RunningStack>;
}

export interface RunningStack {
  /** Base URL of the API, such as `http://127.0.0.1:43125/api`. */
  readonly baseUrl: string;
  /** Returns the output of its processes so far; empty for processes that the tests did not start. */
  output(): string;
  /** Stops all its processes, including its own servers, and starts them again; `baseUrl` may change. */
  restart(how: Ending): Promise<void>;
  stop(): Promise<void>;
}

/** Selects how processes end: after a signal to shut down, or killed. */
export type Ending = 'stopped' | 'killed';
