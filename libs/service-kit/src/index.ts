export { ConfigurationError } from './configuration/configuration-error.js';
export { parseEnvironment } from './configuration/environment.js';
export { requireFreePort } from './configuration/require-free-port.js';
export { readConfigParts, type PartReader } from './configuration/read-config-parts.js';
export { readMetricsToken, createServiceConfigReader, type ServiceConfig } from './configuration/service-variables.js';
export { readEncryptionKeys } from './configuration/encryption-key-variables.js';
export { parsePostgresAddress } from './configuration/postgres-address.js';
export { readQueueUrl } from './configuration/queue-variables.js';
export { readBlobConfig, type BlobConfig } from './configuration/blob-variables.js';
export { readFragmentsConfig, type FragmentsConfig } from './configuration/fragment-variables.js';
export { createLog, LOG_LEVELS, type Log, type LogLevel } from './log.js';
export { createJobMeasures, type JobMeasures, type MeasuredJobRun } from './job-metrics.js';
export { registerBacklogMetrics, type MeasuredBacklog } from './backlog-metrics.js';
export { registerRemovalMetrics, type MeasuredRemovals } from './removal-metrics.js';
export { registerQueueMetrics, type MeasuredQueue } from './queue-metrics.js';
export { createMetrics, type Metrics } from './metrics.js';
export { exitOnUnsupportedNode, describeUnsupportedNode } from './node-version.js';
export { runWorker, type WorkerConfig, type WorkerDefinition, type WorkerParts } from './run-worker.js';
export { runService, SHUTDOWN_DEADLINE_MS, type RunningService } from './run-service.js';
export { getCurrentTrace, recordSpan, getTraceHeaders, type TraceParent } from './tracing/spans.js';
export type { Tracing, TracingConfig } from './tracing/start-span-export.js';
export { startTracing } from './tracing/start-tracing.js';
export { readTrustedProxies, type TrustedProxies } from './http/trusted-proxies.js';
export { traceCalls } from './tracing/trace-calls.js';
export { type Dependency, type Pingable } from './dependencies/dependency.js';
export { listWorkerDependencies, type WorkerServers } from './dependencies/worker-dependencies.js';
export { pingService } from './dependencies/ping-service.js';
export { startStatusReports, type StatusReporter } from './dependencies/status-reports.js';
export {
  createStatusReader,
  getInstanceId,
  redactCredentials,
  type DescribedService,
  type ServiceComponent,
  type ServiceStatus,
} from './dependencies/service-status.js';
export { createMetricsTokenCheck, hasBearerToken, type MonitoringAccess } from './http/monitoring-access.js';
export { startHttpServer, type HttpServer, type ListenOptions } from './http/http-server.js';
export { readRequestTimeouts } from './configuration/timeout-variables.js';
export type { RequestTimeouts } from './configuration/request-timeouts.js';
export { parseJsonBody, MAX_JSON_DEPTH } from './http/json-body.js';
export { createInternalTokenCheck } from './http/internal-token.js';
export { createRequestMeasuringHandler } from './http/measure-requests.js';
export {
  BASIC_PROBLEMS,
  basicProblem,
  Problem,
  buildProblemBody,
  createProblemFactory,
  type ProblemBody,
  type ProblemKind,
  type ProblemOptions,
} from './http/problem.js';
export { respondWithProblem, rejectUnknownRoute, sendProblem, convertErrorToProblem } from './http/problem-handler.js';
export {
  createRequestScopeHandler,
  getRequestScope,
  getRequestIdHeader,
  addRequestId,
  type RequestScope,
} from './http/request-scope.js';
export { createServiceApp, type ServiceAppParts } from './http/service-app.js';
