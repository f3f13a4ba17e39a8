/** The fields of Kubernetes objects that the tests read. The `kind` determines which of them an object has. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
  readonly spec: Spec;
  readonly data?: Labels;
}

type Labels = Readonly<Record<string, string>>;

export interface Spec {
  readonly replicas?: number;
  readonly progressDeadlineSeconds?: number;
  readonly selector?: { readonly matchLabels: Labels };
  readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly minReplicaCount?: number;
  readonly maxReplicaCount?: number;
  readonly pollingInterval?: number;
  readonly cooldownPeriod?: number;
  readonly metrics?: readonly { readonly resource: { readonly target: { readonly averageUtilization: number } } }[];
  readonly scaleTargetRef?: { readonly name: string };
  readonly maxUnavailable?: number;
  readonly fallback?: { readonly replicas: number };
  readonly behavior?: ScalingBehavior;
  readonly advanced?: {
    readonly scalingModifiers: { readonly formula: string; readonly target: string };
    readonly horizontalPodAutoscalerConfig: { readonly behavior: ScalingBehavior };
  };
  readonly triggers?: readonly {
    readonly name: string;
    readonly metadata: { readonly listName?: string; readonly query?: string };
  }[];
  readonly secretTargetRef?: readonly SecretParameter[];
  readonly podSelector?: Selector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly { readonly from?: readonly Peer[]; readonly ports?: readonly Port[] }[];
  readonly egress?: readonly { readonly to?: readonly Peer[]; readonly ports?: readonly Port[] }[];
  readonly ingressClassName?: string;
  readonly hostnames?: readonly string[];
  readonly parentRefs?: readonly { readonly name: string; readonly namespace?: string }[];
  readonly rules?: readonly EdgeRule[];
  readonly groups?: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[];
}

/** A parameter of a KEDA trigger, with the secret and the key that contain its value. */
export interface SecretParameter {
  readonly parameter: string;
  readonly name: string;
  readonly key: string;
}

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Labels;
  readonly annotations: Labels;
}

/** A routing rule. A rule of an Ingress has the field `http`; a rule of an HTTPRoute has the field `matches`. */
interface EdgeRule {
  readonly http?: { readonly paths: readonly { readonly path: string }[] };
  readonly matches?: readonly { readonly path: { readonly value: string } }[];
  readonly timeouts?: { readonly request: string };
}

interface ScalingBehavior {
  readonly scaleUp?: ScalingRules;
  readonly scaleDown: ScalingRules;
}

/** Limits how fast an autoscaler changes the number of pods in one direction. */
export interface ScalingRules {
  readonly stabilizationWindowSeconds: number;
  readonly policies: readonly {
    readonly type: 'Pods' | 'Percent';
    readonly value: number;
    readonly periodSeconds: number;
  }[];
}

export interface Peer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  readonly namespaceSelector?: Selector;
  readonly podSelector?: Selector;
}

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { readonly operator: string; readonly values?: readonly string[] }[];
}

export interface Port {
  readonly port: string | number;
}

export interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly topologySpreadConstraints: readonly { readonly topologyKey: string }[];
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly sizeLimit: string };
  readonly secret?: { readonly secretName: string };
}

export interface Container {
  readonly image: string;
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly env: readonly Variable[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly startupProbe: Probe & { readonly periodSeconds: number; readonly failureThreshold: number };
  readonly resources: { readonly requests: Labels; readonly limits: Labels };
  readonly securityContext: object;
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}
