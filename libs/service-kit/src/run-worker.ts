import type { Dependency, Pingable } from './dependencies/dependency.js';
import { createStatusReader, type ServiceComponent } from './dependencies/service-status.js';
import { startStatusReports, type StatusReporter } from './dependencies/status-reports.js';
import { pingService } from './dependencies/ping-service.js';
import type { ServiceConfig } from './configuration/service-variables.js';
import { createMetricsTokenCheck } from './http/monitoring-access.js';
import { startHttpServer } from './http/http-server.js';
import { createServiceApp } from './http/service-app.js';
import { createLog, type Log } from './log.js';
import { createMetrics, type Metrics } from './metrics.js';
import { runService, type RunningService } from './run-service.js';
import { startTracing } from './tracing/start-tracing.js';

export interface WorkerConfig extends ServiceConfig {
  readonly gateway: { readonly url: string };
}

/** Describes the fields of a worker's context that `runWorker` uses. */
export interface WorkerParts {
  readonly queues: Pingable & { close(deadlineMs: number): Promise<void> };
}

/** Defines a service that processes jobs, and whose only HTTP routes are those of health and metrics. */
export interface WorkerDefinition<Config extends WorkerConfig, Parts extends WorkerParts> {
  /** Name of the service in logs, metrics and traces. */
  readonly name: string;
  readonly version: string;
  /** Reads the configuration from the environment. @throws ConfigurationError with all problems at once */
  readConfig(): Config;
  openContext(config: Config, log: Log, metrics: Metrics): Promise<Parts>;
  listDependencies(context: Parts, gateway: Pingable): readonly Dependency[];
  /** Lists the configured components of the service, which its status contains. */
  listComponents(config: Config): readonly ServiceComponent[];
  /** Opens the reporter that sends the status of the worker to the gateway. */
  openStatusReporter(config: Config): StatusReporter;
  readonly statusIntervalMs: number;
  /** Starts to process jobs. */
  start(context: Parts): RunningService | Promise<RunningService>;
  /** Closes the resources of the context, except the queues, which `runWorker` closes. */
  closeContext(context: Parts): Promise<void>;
}

/** Runs a worker in a process of its own until a signal ends it. */
export async function runWorker<Config extends WorkerConfig, Parts extends WorkerParts>(
  worker: WorkerDefinition<Config, Parts>,
): Promise<void> {
  await runService(worker.name, async () => {
    const config = worker.readConfig();
    const log = createLog(worker.name, config.logLevel);
    const tracing = await startTracing(worker.name, config.tracing);
    const metrics = createMetrics(worker.name, { process: true });
    const context = await worker.openContext(config, log, metrics);
    const gateway: Pingable = { ping: () => pingService(config.gateway.url, 'live') };
    const dependencies = worker.listDependencies(context, gateway);
    const app = createServiceApp({
      log,
      metrics,
      dependencies,
      monitoring: createMetricsTokenCheck(config.metricsToken),
      routes: [],
    });
    const server = await startHttpServer(app, config);
    const running = await worker.start(context);
    const { name, version } = worker;
    const listComponents = (): readonly ServiceComponent[] => worker.listComponents(config);
    const reports = startStatusReports(
      createStatusReader({ name, version, dependencies, listComponents }),
      worker.openStatusReporter(config),
      worker.statusIntervalMs,
    );
    return {
      ...running,
      close: async (deadlineMs) => {
        await running.close(deadlineMs);
        await reports.close();
        await Promise.all([server.close(0), context.queues.close(0), worker.closeContext(context)]);
        await tracing.close();
      },
    };
  });
}
