import { catalogQueue, crawlQueue, ingestionQueue } from '@quarry/contracts';
import { SHUTDOWN_DEADLINE_MS } from '@quarry/service-kit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Manifest, PodSpec } from './manifest.js';
import { modelProblems, schemaProblem } from './model-problems.js';
import { SKIP_NOTE, canRender, render } from './render.js';
import { variablesReadBy, READERS } from './environment-readers.js';

const SERVICES = Object.keys(READERS).sort();
const HTTP = ['gateway', 'query'];
const QUEUE_OF = { 'ingestion-worker': ingestionQueue, crawler: crawlQueue, 'catalog-sync': catalogQueue };

/** Variables with the number of jobs that a pod runs at once. */
const CONCURRENCY_OF: Readonly<Record<string, string>> = {
  'ingestion-worker': 'QUARRY_INGESTION_CONCURRENCY',
  crawler: 'QUARRY_CRAWLER_CONCURRENCY',
  'catalog-sync': 'QUARRY_CATALOG_CONCURRENCY',
};

const CREDENTIAL =
  /^DATABASE_URL$|^QUARRY_QUEUE_URL$|(_API_KEY|_ACCESS_KEY|_ACCESS_KEY_ID|_TOKEN|_ROOT_KEY|_SEALING_KEY)$/;

/** Test values of secrets, by secret name and key. */
const SECRETS: Readonly<Record<string, string>> = {
  'quarry-database/url': 'postgres://quarry@postgres/quarry',
  'quarry-queue/url': 'rediss://redis:6379',
  'quarry-internal/token': 'token',
  'quarry-metrics/token': 'token-of-metrics',
  'quarry-sealing/keys': Buffer.alloc(32).toString('base64'),
};

describe.runIf(canRender).each(['dev', 'prod'])(`the manifests of %s${SKIP_NOTE}`, (overlay) => {
  let manifests: readonly Manifest[];
  const of = (kind: string): readonly Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  const named = (kind: string, name: string): Manifest => {
    const found = of(kind).find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new Error(`expected a ${kind} named ${name}, found none`);
    return found;
  };
  const pod = (name: string): PodSpec => {
    const template = named('Deployment', name).spec.template;
    if (template === undefined) throw new Error(`expected a pod template in the deployment ${name}, found none`);
    return template.spec;
  };
  const settingsMap = (): Manifest => {
    const found = of('ConfigMap').find(({ metadata }) => /^quarry-(?!dashboard$)\w+$/.test(metadata.name));
    if (found === undefined) throw new Error('expected the ConfigMap of the settings, found none');
    return found;
  };
  const settings = (): Readonly<Record<string, string>> => settingsMap().data ?? {};
  const namesOf = (kind: string): string[] =>
    of(kind)
      .map(({ metadata }) => metadata.name)
      .sort();
  beforeAll(() => {
    manifests = render(overlay);
  });

  it('conform to the models of Kubernetes, KEDA, Gateway API and the Prometheus operator', async () => {
    expect(modelProblems(manifests)).toEqual([]);
    const problems = await Promise.all(manifests.map(schemaProblem));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it('fail the check with an unknown field', () => {
    const [first] = of('ScaledObject');
    const invalid = { ...first, spec: { ...first?.spec, minReplicasCount: 1 } } as Manifest; // invalid on purpose
    expect(modelProblems([invalid])).toEqual([expect.stringContaining('minReplicasCount')]);
  });

  it('contain one object of each kind per service', () => {
    for (const kind of ['Deployment', 'Service', 'ServiceAccount', 'PodDisruptionBudget'])
      expect(namesOf(kind)).toEqual(SERVICES);
    expect([...namesOf('HorizontalPodAutoscaler'), ...namesOf('ScaledObject')].sort()).toEqual(SERVICES);
    expect(namesOf('HorizontalPodAutoscaler')).toEqual(HTTP);
  });

  it.each(SERVICES)('run %s in a restricted pod', (name) => {
    const spec = pod(name);
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const container of spec.containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(container.resources.requests)).toEqual(['cpu', 'memory']);
      expect(Object.keys(container.resources.limits)).toEqual(['memory']);
    }
    expect(spec.volumes.every(({ emptyDir }) => emptyDir?.sizeLimit !== undefined)).toBe(true);
    const { labels } = named('Namespace', 'quarry').metadata;
    expect(labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  it.each(SERVICES)('probe the liveness of %s without its dependencies', (name) => {
    const [container] = pod(name).containers;
    expect(container?.livenessProbe.httpGet.path).toBe('/health/live');
    expect(container?.startupProbe.httpGet.path).toBe('/health/live');
    expect(container?.readinessProbe.httpGet.path).toBe('/health/ready');
  });

  it.each(SERVICES)('give %s more time to shut down than it needs', (name) => {
    const sleep = pod(name).containers[0]?.lifecycle?.preStop.sleep.seconds ?? 0;
    expect(sleep > 0).toBe(HTTP.includes(name));
    expect(pod(name).terminationGracePeriodSeconds).toBeGreaterThan(SHUTDOWN_DEADLINE_MS / 1_000 + sleep);
  });

  it.each(SERVICES)('spread %s over zones and nodes, and allow one disrupted replica at most', (name) => {
    const keys = pod(name).topologySpreadConstraints.map(({ topologyKey }) => topologyKey);
    expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
    expect(named('PodDisruptionBudget', name).spec).toMatchObject({
      maxUnavailable: 1,
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
    });
  });

  it.each(SERVICES)('leave the number of replicas of %s to its scaler', (name) => {
    expect(named('Deployment', name).spec.replicas).toBeUndefined();
    const scaler = named(HTTP.includes(name) ? 'HorizontalPodAutoscaler' : 'ScaledObject', name).spec;
    const minimum = scaler.minReplicas ?? scaler.minReplicaCount ?? -1;
    const maximum = scaler.maxReplicas ?? scaler.maxReplicaCount ?? -1;
    expect(scaler.scaleTargetRef?.name).toBe(name);
    expect(maximum).toBeGreaterThan(minimum);
    expect(minimum).toBeGreaterThanOrEqual(
      name === 'ingestion-worker' ? 0 : overlay === 'prod' && HTTP.includes(name) ? 2 : 1,
    );
  });

  it.each(Object.entries(QUEUE_OF))(
    'scale %s by the backlog of its queue and by its waiting and running jobs',
    (name, { name: queue }) => {
      const { triggers = [], advanced, fallback } = named('ScaledObject', name).spec;
      const [backlog, ...lists] = triggers;
      expect(backlog?.name).toBe('backlog');
      expect(backlog?.metadata.query).toContain(`FROM quarry.outbox WHERE queue = '${queue}' AND refusal IS NULL`);
      expect(Object.fromEntries(lists.map((trigger) => [trigger.name, trigger.metadata.listName]))).toEqual({
        waiting: `quarry:${queue}:wait`,
        prioritized: `quarry:${queue}:prioritized`,
        active: `quarry:${queue}:active`,
        delayed: `quarry:${queue}:delayed`,
      });
      expect(advanced?.scalingModifiers.formula).toMatch(/^backlog \+ waiting \+ prioritized \+ active\b/);
      expect(advanced?.scalingModifiers.target).toBe(settings()[CONCURRENCY_OF[name] ?? '']);
      expect(fallback?.replicas).toBeGreaterThan(0);
    },
  );

  it.each(SERVICES)('remove replicas of %s slowly, one at a time', (name) => {
    const { behavior, advanced } = named(HTTP.includes(name) ? 'HorizontalPodAutoscaler' : 'ScaledObject', name).spec;
    const down = (behavior ?? advanced?.horizontalPodAutoscalerConfig.behavior)?.scaleDown;
    expect(down?.stabilizationWindowSeconds).toBeGreaterThanOrEqual(300);
    expect(down?.policies.map(({ value }) => value)).toEqual([1]);
    expect(down?.policies[0]?.periodSeconds).toBeGreaterThanOrEqual(60);
  });

  it.each(SERVICES)('give %s all variables that it needs, and only secrets that it reads', (name) => {
    const read = READERS[name] ?? (() => undefined);
    const { env = [] } = pod(name).containers[0] ?? {};
    const known = variablesReadBy(read);
    expect(env.map((variable) => variable.name).filter((variable) => !known.has(variable))).toEqual([]);
    expect(new Set(env.map((variable) => variable.name)).size).toBe(env.length);
    const secrets = env.map(({ name: variable, valueFrom }) => {
      const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
      return [variable, SECRETS[`${secret}/${key}`]] as const;
    });
    const variables = { NODE_ENV: 'production', ...settings(), ...Object.fromEntries(secrets) };
    expect(() => read(variables)).not.toThrow();
  });

  it.each(SERVICES)('read the settings of %s from the ConfigMap, and its credentials from secrets', (name) => {
    const { envFrom = [], env = [] } = pod(name).containers[0] ?? {};
    expect(envFrom.map(({ configMapRef }) => configMapRef.name)).toEqual([settingsMap().metadata.name]);
    // `env` overrides the ConfigMap, so that a plain value there would hide a setting.
    expect(env.filter(({ valueFrom }) => valueFrom?.secretKeyRef === undefined)).toEqual([]);
    const credentials = [...variablesReadBy(READERS[name] ?? (() => undefined))].filter((variable) =>
      CREDENTIAL.test(variable),
    );
    expect(credentials.filter((variable) => !env.some((given) => given.name === variable))).toEqual([]);
  });

  it('contain only settings that a service reads', () => {
    const known = new Set(Object.values(READERS).flatMap((read) => [...variablesReadBy(read)]));
    expect(Object.keys(settings()).filter((variable) => !known.has(variable))).toEqual([]);
  });
});
