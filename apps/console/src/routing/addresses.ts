/** The paths of all screens below the address of the console. A segment such as `$agentId` is a parameter. */
export const ADDRESSES = {
  home: '/',
  signIn: '/signin',
  firstRun: '/start',
  datastores: '/datastores',
  datastore: '/datastores/$datastoreId',
  upload: '/datastores/$datastoreId/upload',
  datasources: '/datasources',
  datasource: '/datasources/$datasourceId',
  document: '/datasources/$datasourceId/documents/$documentId',
  playground: '/playground',
  agents: '/agents',
  agent: '/agents/$agentId',
  conversations: '/conversations',
  conversation: '/conversations/$conversationId',
  evaluations: '/evaluations',
  evaluation: '/evaluations/$evaluationId',
  keys: '/keys',
  webhooks: '/webhooks',
  webhook: '/webhooks/$webhookId',
  usage: '/usage',
  organizations: '/organizations',
  organization: '/organizations/$organizationId',
  organizationUsage: '/organizations/$organizationId/usage',
  models: '/models',
  system: '/system',
} as const;

export type AddressName = keyof typeof ADDRESSES;

/** The values of the parameters in the path of a screen, such as `{ agentId: string }`. */
export type ParametersOf<Name extends AddressName> = Readonly<Record<ParameterNames<(typeof ADDRESSES)[Name]>, string>>;

type ParameterNames<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParameterName<Segment> | ParameterNames<Rest>
  : ParameterName<Path>;
type ParameterName<Segment extends string> = Segment extends `$${infer Name}` ? Name : never;

/** The query parameters of an address. A parameter with the value undefined is omitted. */
export type SearchValues = Readonly<Record<string, string | undefined>>;

/** Builds the path of a screen, such as `/agents/a1`, without the path prefix of the console. */
export function buildPath<Name extends AddressName>(name: Name, parameters: ParametersOf<Name>): string {
  const values: Readonly<Record<string, string>> = parameters;
  return ADDRESSES[name].replaceAll(/\$(\w+)/g, (_whole, parameter: string) =>
    encodeURIComponent(values[parameter] ?? ''),
  );
}
