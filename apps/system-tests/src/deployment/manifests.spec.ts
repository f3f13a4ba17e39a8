import { catalogQueue, crawlQueue, ingestionQueue, pagePictureQueue } from '@quarry/contracts';
import { SHUTDOWN_DEADLINE_MS } from '@quarry/service-kit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Manifest, PodSpec } from './manifest.js';
import { findManifestTypeErrors, findSchemaProblem } from './manifest-type-errors.js';
import { SKIP_NOTE, canRender, renderOverlay } from './render.js';
import { listReadVariables, READERS } from './environment-readers.js';

const SERVICES = Object.keys(READERS).sort();
const HTTP = ['gateway', 'query'];
const QUEUE_OF = { 'ingestion-worker': ingestionQueue, crawler: crawlQueue, 'catalog-sync': catalogQueue };

/** Maps each worker to the environment variable with the number of jobs that a pod of the worker runs at once. */
const CONCURRENCY_OF: Readonly<Record<string, string>> = {
  'ingestion-worker': 'QUARRY_INGESTION_CONCURRENCY',
  crawler: 'QUARRY_CRAWLER_CONCURRENCY',
  'catalog-sync': 'QUARRY_CATALOG_CONCURRENCY',
};

const CREDENTIAL =
  /^DATABASE_URL$|^QUARRY_QUEUE_URL$|(_API_KEY|_ACCESS_KEY|_ACCESS_KEY_ID|_TOKEN|_ROOT_KEY|_SEALING_KEY)$/;

/** Test values of Kubernetes secrets, keyed by `<name of the secret>/<key in the secret>`. */
const SECRETS: Readonly<Record<string, string>> = {
  'quarry-database/url': 'postgres://quarry@postgres/quarry',
  'quarry-queue/url': 'rediss://redis:6379',
  'quarry-internal/token': 'token',
  'quarry-metrics/token': 'token-of-metrics',
  'quarry-sealing/keys': Buffer.alloc(32).toString('base64'),
};

describe.runIf(canRender).each(['dev', 'prod'])(`the manifests of %s${SKIP_NOTE}`, (overlay) => {
  let manifests: readonly Manifest[];
  const listObjects = (kind: string): readonly Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  const findObject = (kind: string, name: string): Manifest => {
    const found = listObjects(kind).find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new Error(`expected a ${kind} named ${name}, found none`);
    return found;
  };
  const findPod = (name: string): PodSpec => {
    const template = findObject('Deployment', name).spec.template;
    if (template === undefined) throw new Error(`expected a pod template in the deployment ${name}, found none`);
    return template.spec;
  };
  const findSettingsMap = (): Manifest => {
    const found = listObjects('ConfigMap').find(({ metadata }) => /^quarry-(?!dashboard$)\w+$/.test(metadata.name));
    if (found === undefined) throw new Error('expected the ConfigMap of the settings, found none');
    return found;
  };
  const listSettings = (): Readonly<Record<string, string>> => findSettingsMap().data ?? {};
  const listNames = (kind: string): string[] =>
    listObjects(kind)
      .map(({ metadata }) => metadata.name)
      .sort();
  beforeAll(() => {
    manifests = renderOverlay(overlay);
  });

  it('all manifests conform to the schemas of Kubernetes, KEDA, Gateway API and the Prometheus operator', async () => {
    expect(findManifestTypeErrors(manifests)).toEqual([]);
    const problems = await Promise.all(manifests.map(findSchemaProblem));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it('findManifestTypeErrors reports an unknown field of a manifest', () => {
    const [first] = listObjects('ScaledObject');
    const invalid = { ...first, spec: { ...first?.spec, minReplicasCount: 1 } } as Manifest; // invalid on purpose
    expect(findManifestTypeErrors([invalid])).toEqual([expect.stringContaining('minReplicasCount')]);
  });

  it('the manifests contain one Deployment, Service, ServiceAccount, PodDisruptionBudget and autoscaler per service', () => {
    for (const kind of ['Deployment', 'Service', 'ServiceAccount', 'PodDisruptionBudget'])
      expect(listNames(kind)).toEqual(SERVICES);
    expect([...listNames('HorizontalPodAutoscaler'), ...listNames('ScaledObject')].sort()).toEqual(SERVICES);
    expect(listNames('HorizontalPodAutoscaler')).toEqual(HTTP);
  });

  it.each(SERVICES)('the manifests run %s in a restricted pod', (name) => {
    const spec = findPod(name);
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
    const { labels } = findObject('Namespace', 'quarry').metadata;
    expect(labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  it.each(SERVICES)('the liveness probe of %s does not check the dependencies of the service', (name) => {
    const [container] = findPod(name).containers;
    expect(container?.livenessProbe.httpGet.path).toBe('/health/live');
    expect(container?.startupProbe.httpGet.path).toBe('/health/live');
    expect(container?.readinessProbe.httpGet.path).toBe('/health/ready');
  });

  it('Kubernetes gives a starting gateway at least an hour for migrations, before it reports a failed rollout', () => {
    const probe = findPod('gateway').containers[0]?.startupProbe;
    if (probe === undefined) throw new Error('expected a startup probe of the gateway, found none');
    const startSeconds = probe.periodSeconds * probe.failureThreshold;
    expect(startSeconds).toBeGreaterThanOrEqual(3_600);
    expect(findObject('Deployment', 'gateway').spec.progressDeadlineSeconds).toBeGreaterThan(startSeconds);
  });

  it.each(SERVICES)('Kubernetes gives %s more time to shut down than the service needs', (name) => {
    const sleep = findPod(name).containers[0]?.lifecycle?.preStop.sleep.seconds ?? 0;
    expect(sleep > 0).toBe(HTTP.includes(name));
    expect(findPod(name).terminationGracePeriodSeconds).toBeGreaterThan(SHUTDOWN_DEADLINE_MS / 1_000 + sleep);
  });

  it.each(SERVICES)(
    'the replicas of %s are spread over zones and nodes, and at most one is disrupted at a time',
    (name) => {
      const keys = findPod(name).topologySpreadConstraints.map(({ topologyKey }) => topologyKey);
      expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
      expect(findObject('PodDisruptionBudget', name).spec).toMatchObject({
        maxUnavailable: 1,
        selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      });
    },
  );

  it.each(SERVICES)('only the autoscaler sets the number of replicas of %s', (name) => {
    expect(findObject('Deployment', name).spec.replicas).toBeUndefined();
    const scaler = findObject(HTTP.includes(name) ? 'HorizontalPodAutoscaler' : 'ScaledObject', name).spec;
    const minimum = scaler.minReplicas ?? scaler.minReplicaCount ?? -1;
    const maximum = scaler.maxReplicas ?? scaler.maxReplicaCount ?? -1;
    expect(scaler.scaleTargetRef?.name).toBe(name);
    expect(maximum).toBeGreaterThan(minimum);
    expect(minimum).toBeGreaterThanOrEqual(
      name === 'ingestion-worker' ? 0 : overlay === 'prod' && HTTP.includes(name) ? 2 : 1,
    );
  });

  it.each(Object.entries(QUEUE_OF))(
    'the autoscaler of %s counts the backlog, the waiting jobs and the running jobs of one queue',
    (name, { name: queue }) => {
      const { triggers = [], advanced, fallback } = findObject('ScaledObject', name).spec;
      const [backlog, ...lists] = triggers;
      expect(backlog?.name).toBe('backlog');
      expect(backlog?.metadata.query).toContain(`FROM quarry.outbox WHERE queue = '${queue}' AND refusal IS NULL`);
      expect(Object.fromEntries(lists.map((trigger) => [trigger.name, trigger.metadata.listName]))).toEqual({
        waiting: `quarry:${queue}:wait`,
        prioritized: `quarry:${queue}:prioritized`,
        active: `quarry:${queue}:active`,
        delayed: `quarry:${queue}:delayed`,
        ...(name === 'ingestion-worker' && { pictures: `quarry:${pagePictureQueue.name}:wait` }),
      });
      expect(advanced?.scalingModifiers.formula).toMatch(/^backlog \+ waiting \+ prioritized \+ active\b/);
      expect(advanced?.scalingModifiers.target).toBe(listSettings()[CONCURRENCY_OF[name] ?? '']);
      expect(fallback?.replicas).toBeGreaterThan(0);
    },
  );

  it.each(SERVICES)('the autoscaler removes replicas of %s slowly, one at a time', (name) => {
    const { behavior, advanced } = findObject(
      HTTP.includes(name) ? 'HorizontalPodAutoscaler' : 'ScaledObject',
      name,
    ).spec;
    const down = (behavior ?? advanced?.horizontalPodAutoscalerConfig.behavior)?.scaleDown;
    expect(down?.stabilizationWindowSeconds).toBeGreaterThanOrEqual(300);
    expect(down?.policies.map(({ value }) => value)).toEqual([1]);
    expect(down?.policies[0]?.periodSeconds).toBeGreaterThanOrEqual(60);
  });

  it.each(SERVICES)(
    'the manifests give %s all variables that the service needs, and no secret that the service does not read',
    (name) => {
      const read = READERS[name] ?? (() => undefined);
      const { env = [] } = findPod(name).containers[0] ?? {};
      const known = listReadVariables(read);
      expect(env.map((variable) => variable.name).filter((variable) => !known.has(variable))).toEqual([]);
      expect(new Set(env.map((variable) => variable.name)).size).toBe(env.length);
      const secrets = env.map(({ name: variable, valueFrom }) => {
        const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
        return [variable, SECRETS[`${secret}/${key}`]] as const;
      });
      const variables = { NODE_ENV: 'production', ...listSettings(), ...Object.fromEntries(secrets) };
      expect(() => read(variables)).not.toThrow();
    },
  );

  it.each(SERVICES)('the settings of %s come from the ConfigMap, and the credentials from secrets', (name) => {
    const { envFrom = [], env = [] } = findPod(name).containers[0] ?? {};
    expect(envFrom.map(({ configMapRef }) => configMapRef.name)).toEqual([findSettingsMap().metadata.name]);
    // A plain value in `env` would override the setting of the ConfigMap.
    expect(env.filter(({ valueFrom }) => valueFrom?.secretKeyRef === undefined)).toEqual([]);
    const credentials = [...listReadVariables(READERS[name] ?? (() => undefined))].filter((variable) =>
      CREDENTIAL.test(variable),
    );
    expect(credentials.filter((variable) => !env.some((given) => given.name === variable))).toEqual([]);
  });

  it('the manifests contain only settings that a service reads', () => {
    const known = new Set(Object.values(READERS).flatMap((read) => [...listReadVariables(read)]));
    expect(Object.keys(listSettings()).filter((variable) => !known.has(variable))).toEqual([]);
  });
});
