/** Values of environment variables of the services, keyed by name. */
export type Variables = Readonly<Record<string, string>>;

/** A way to run Quarry, such as in one process or in containers. */
export interface StackKind {
  readonly title: string;
  /** The reason why this machine cannot run this kind of stack; undefined if it can. */
  readonly missing: string | undefined;
  /** Starts a stack of this kind. @param servers addresses on 127.0.0.1 that its services must be able to connect to */
  start(variables: Variables, servers: readonly string[]): Promise<RunningStack>;
}

export interface RunningStack {
  /** Base URL of the API, such as `http://127.0.0.1:43125/api`. */
  readonly baseUrl: string;
  /** Returns the output of the services so far; an empty text if the tests did not start them. */
  output(): string;
  /** Stops or kills all services, and starts them again. `baseUrl` may differ after the restart. */
  restart(how: Ending): Promise<void>;
  stop(): Promise<void>;
}

/** Way in which a test ends processes: `stopped` by a signal to shut down, or `killed` by SIGKILL. */
export type Ending = 'stopped' | 'killed';
