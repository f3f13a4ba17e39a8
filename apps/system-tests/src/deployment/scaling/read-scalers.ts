import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { parse, parseAllDocuments } from 'yaml';
import type { Manifest, ScalingRules, Spec } from '../manifest.js';
import { DEFAULT_SCALE_UP, type ReplicaLimits } from './pod-autoscaler.js';

const BASE = fileURLToPath(new URL('../../../../../k8s/base/', import.meta.url));

/** Holds the values in the manifest of a worker's ScaledObject, with which KEDA scales the worker by its jobs. */
export interface JobScaler {
  readonly limits: ReplicaLimits;
  /** Number of pods while the worker has no jobs. It may be 0, unlike the minimum in `limits`. */
  readonly minReplicas: number;
  /** Target of the autoscaler, in jobs per pod. */
  readonly target: number;
  readonly formula: string;
  readonly pollingSeconds: number;
  readonly cooldownSeconds: number;
  /** Number of jobs that a pod runs at once. */
  readonly concurrency: number;
}

/** Holds the numbers of a worker's jobs, by state, that the triggers of its scaler read. */
export interface JobCounts {
  readonly backlog: number;
  readonly waiting: number;
  readonly prioritized: number;
  readonly active: number;
  readonly delayed: number;
  /** Number of pictures of document pages that wait until an ingestion worker renders them. */
  readonly pictures: number;
}

/**
 * Holds the values in the manifest of a service's HorizontalPodAutoscaler, which scales by the pods' processor time.
 */
export interface CpuScaler {
  readonly limits: ReplicaLimits;
  /** Target of the autoscaler for the used processor time of the pods, in percent of `requestedCores`. */
  readonly targetUtilization: number;
  /** Requested processor time of a pod, in cores. */
  readonly requestedCores: number;
}

const COUNTS = ['backlog', 'waiting', 'prioritized', 'active', 'delayed', 'pictures'] as const;

/**
 * Compiles the formula of a scaler to a function. KEDA's arithmetic, comparisons and conditions are also valid
 * JavaScript.
 */
export function compileScalerFormula({ formula }: Pick<JobScaler, 'formula'>): (counts: JobCounts) => number {
  const evaluate = compileFunction(`return (${formula});`, COUNTS);
  return (counts) =>
    Number(
      Reflect.apply(
        evaluate,
        undefined,
        COUNTS.map((name) => counts[name]),
      ),
    );
}

/**
 * Reads the ScaledObject of a worker.
 *
 * @param variable name of the setting for the number of jobs that a pod runs at once
 */
export function readJobScaler(name: string, variable: string): JobScaler {
  const { minReplicaCount, maxReplicaCount, pollingInterval, cooldownPeriod, advanced } = findManifestSpec(
    'ScaledObject',
    name,
  );
  const { formula, target } = requireManifestValue(advanced).scalingModifiers;
  const { behavior } = requireManifestValue(advanced).horizontalPodAutoscalerConfig;
  const minReplicas = requireManifestValue(minReplicaCount);
  return {
    limits: readReplicaLimits(behavior, Math.max(1, minReplicas), requireManifestValue(maxReplicaCount)),
    minReplicas,
    target: Number(target),
    formula,
    pollingSeconds: requireManifestValue(pollingInterval),
    cooldownSeconds: requireManifestValue(cooldownPeriod),
    concurrency: readConfigMapNumber(variable),
  };
}

/** Reads the HorizontalPodAutoscaler of a service. */
export function readCpuScaler(name: string): CpuScaler {
  const { minReplicas, maxReplicas, metrics = [], behavior } = findManifestSpec('HorizontalPodAutoscaler', name);
  const [container] = requireManifestValue(findManifestSpec('Deployment', name).template).spec.containers;
  const cpu = requireManifestValue(container?.resources.requests['cpu']);
  return {
    limits: readReplicaLimits(behavior, requireManifestValue(minReplicas), requireManifestValue(maxReplicas)),
    targetUtilization: requireManifestValue(metrics[0]?.resource.target.averageUtilization),
    requestedCores: cpu.endsWith('m') ? Number.parseInt(cpu, 10) / 1_000 : Number(cpu),
  };
}

function readReplicaLimits(
  behavior: { readonly scaleUp?: ScalingRules; readonly scaleDown: ScalingRules } | undefined,
  min: number,
  max: number,
): ReplicaLimits {
  return { min, max, scaleUp: DEFAULT_SCALE_UP, ...requireManifestValue(behavior) };
}

const MANIFESTS: readonly Manifest[] = readdirSync(BASE)
  .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(readFileSync(`${BASE}${name}`, 'utf8')))
  .map((document) => document.toJS() as Manifest); // manifests.spec.ts compares each with the models of the Kubernetes API

function findManifestSpec(kind: string, name: string): Spec {
  return requireManifestValue(MANIFESTS.find((manifest) => manifest.kind === kind && manifest.metadata.name === name))
    .spec;
}

/** Reads a numeric setting of the services from the ConfigMap in k8s/base. */
function readConfigMapNumber(variable: string): number {
  const { configMapGenerator } = parse(readFileSync(`${BASE}kustomization.yaml`, 'utf8')) as {
    readonly configMapGenerator: readonly { readonly literals?: readonly string[] }[];
  }; // the form that kustomize requires
  const literals = configMapGenerator.flatMap(({ literals: own = [] }) => own);
  return Number(
    requireManifestValue(literals.find((literal) => literal.startsWith(`${variable}=`))).slice(variable.length + 1),
  );
}

function requireManifestValue<Value>(value: Value | undefined): Value {
  if (value === undefined)
    throw new Error('expected every setting of the autoscaler in the manifests, found that one is missing');
  return value;
}
