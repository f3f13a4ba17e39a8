/** What the tests read of a Kubernetes object; `kind` says which of it is there. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Labels };
  readonly spec: Spec;
  readonly data?: Labels;
}

type Labels = Readonly<Record<string, string>>;

export interface Spec {
  readonly replicas?: number;
  readonly selector?: { readonly matchLabels: Labels };
  readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly minReplicaCount?: number;
  readonly maxReplicaCount?: number;
  readonly scaleTargetRef?: { readonly name: string };
  readonly maxUnavailable?: number;
  readonly fallback?: { readonly replicas: number };
  readonly advanced?: { readonly scalingModifiers: { readonly formula: string } };
  readonly triggers?: readonly { readonly name: string; readonly metadata: { readonly listName: string } }[];
  readonly podSelector?: object;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly object[];
  readonly egress?: readonly { readonly to?: readonly Peer[] }[];
  readonly groups?: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

export interface Peer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly topologySpreadConstraints: readonly { readonly topologyKey: string }[];
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly emptyDir?: { readonly sizeLimit: string } }[];
}

export interface Container {
  readonly image: string;
  readonly env: readonly Variable[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly startupProbe: Probe;
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
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}
